// Berth and BIRD as senders.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { type Contest, communityOf, prefixOf, type Sender } from './contest.ts'
import { birdControl, opened } from './control.ts'
import { cpuMsOf, places, start, stopped, until } from './ground.ts'

export async function startBerth({ count, attributes }: Contest): Promise<Sender> {
  const script = join(import.meta.dirname, 'berthSender.ts')
  const command = [process.execPath, script, places.receiver, String(count), attributes]
  const child = start('sender', ...command)
  let said = ''
  child.stdout?.on('data', (bytes) => {
    said += String(bytes)
  })
  await until('Berth', () => said.includes('ready'))
  return {
    announce: () => child.stdin?.write('announce\n'),
    withdraw: () => child.stdin?.write('withdraw\n'),
    cpuMs: () => cpuMsOf(child.pid),
    stop: () => stopped(child),
  }
}

export async function startBirdSender(contest: Contest): Promise<Sender> {
  const { folder, count, attributes } = contest
  const [config, control] = [join(folder, 'sender.conf'), join(folder, 'sender.ctl')]
  const routes = Array.from({ length: count }, (_, at) => {
    const community = communityOf(at).replace(':', ',')
    const added = attributes === 'equal' ? '' : ` { bgp_community.add((${community})); }`
    return `  route ${prefixOf(at)} blackhole${added || ''};`
  })
  writeFileSync(
    config,
    `router id ${places.sender};
protocol device { }
protocol static fixed { disabled; ipv4;
${routes.join('\n')}
}
protocol bgp outgoing {
  local as 64512; neighbor ${places.receiver} as 64513; direct;
  connect delay time 1; ipv4 { import none; export all; next hop self; };
}
`,
  )
  const child = start('sender', 'bird', '-f', '-c', config, '-s', control)
  const { ask, end } = await opened('BIRD, the sender', () => birdControl(control))
  const isUp = async () => (await ask('show protocols outgoing')).includes('Established')
  await until('BIRD, the sender', isUp)
  return {
    announce: () => ask('enable fixed'),
    withdraw: () => ask('disable fixed'),
    cpuMs: () => cpuMsOf(child.pid),
    stop: () => {
      end()
      return stopped(child)
    },
  }
}
