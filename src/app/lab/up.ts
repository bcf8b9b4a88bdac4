// How is a lab started? Network, API, backends, speakers; if one fails, everything is removed.

import { readFileSync } from 'node:fs'
import { counted } from '../../core/net/counted.ts'
import { parseIp } from '../../core/net/ip.ts'
import { electionOrder } from '../../core/policy/announce/elect.ts'
import { Fault } from '../../edge/kube/api/fault.ts'
import type { Io } from '../cli/io.ts'
import { ask } from './ask.ts'
import { removeLab } from './down.ts'
import { kubeApiTasks, kubeTasks } from './kubeTasks.ts'
import { type Lab, nodesOf, type Settings } from './lab.ts'
import { beginLab, findLab } from './labFolder.ts'
import { kubeconfigOf, logOf } from './labPaths.ts'
import { buildNetwork, namespacesOf } from './network.ts'
import { pictureOf } from './picture.ts'
import { routersOf } from './routerConfig.ts'
import { allRouterTasks, routesCommand } from './routerTasks.ts'
import {
  type Asked,
  controllerTask,
  embeddedTasks,
  nodeTasks,
  speakerTask,
  startTask,
} from './tasks.ts'
import { usualName } from './topology.ts'

export async function bringUp(settings: Settings, io: Io): Promise<void> {
  const { name } = settings
  // Namespaces without a folder are left over from a crash and in the way.
  if (findLab(name) === undefined && namespacesOf(name).length > 0) await removeLab(name)
  const begun = beginLab(settings)
  try {
    tell(await start(begun, io), io)
  } catch (error) {
    // Half a lab is useless, and would be in the way of the next one.
    await removeLab(name)
    throw error
  }
}

type Started = { readonly lab: Lab; readonly addresses: readonly string[] }

async function start(begun: Lab, io: Io): Promise<Started> {
  const { topology, settings } = begun
  const step = (what: string): void => {
    if (io.signal.aborted) throw new Fault('interrupted')
    io.out(`${what}\n`)
  }
  // The bridges have a namespace of their own.
  const namespaces = counted(topology.machines.length + 1, 'namespace')
  step(`network     ${namespaces}, ${topology.wires.length} wires`)
  buildNetwork(topology)
  step(`API         ${settings.engine === 'kube' ? 'kube-apiserver' : 'embedded'}, controller`)
  let lab = startEngine(begun)
  if (settings.router !== 'none') step(`routers     ${settings.routers}, ${settings.router}`)
  lab = startAll(lab, allRouterTasks(lab))
  const addresses = textsIn(askOrTell(lab, 'control', 'begin'))
  step(`backends    one on each of ${counted(settings.nodes, 'node')}`)
  if (settings.speakers === 'none') return { lab, addresses }
  lab = startAll(
    lab,
    nodesOf(lab).map(({ name }) => speakerTask(lab, name)),
  )
  step(`speakers    ${settings.nodes}`)
  const [client] = topology.machines.filter(({ role }) => role === 'client')
  if (client !== undefined)
    askOrTell(lab, client.name, 'reach', homeOf(lab, addresses), ...addresses)
  return { lab, addresses }
}

/** The node that the election puts first; by BGP it may be any of them. */
function homeOf(lab: Lab, [first = '']: readonly string[]): string {
  if (lab.settings.router !== 'none') return ''
  const ip = parseIp(first)
  const nodes = nodesOf(lab).map(({ name }) => name)
  const order = ip.ok ? electionOrder({ ip: ip.value, nodes, scoreOf: () => 0 }) : nodes
  return order[0] ?? ''
}

/** Kubernetes' programs exit if the API is not up yet, so they start after it; ours wait. */
function startEngine(lab: Lab): Lab {
  if (lab.settings.engine === 'embedded') {
    return startAll(lab, [...embeddedTasks(lab), ...nodeTasks(lab)])
  }
  const begun = startAll(lab, kubeApiTasks(lab))
  askOrTell(begun, 'control', 'ready')
  return startAll(begun, [...kubeTasks(begun), controllerTask(begun), ...nodeTasks(begun)])
}

const startAll = (lab: Lab, asked: readonly Asked[]): Lab => asked.reduce(startTask, lab)

/** On failure, adds the last lines of the lab's logs, which mostly say why. */
function askOrTell(lab: Lab, machine: string, ...words: readonly string[]): unknown {
  try {
    return ask(lab, machine, ...words)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const said = lab.tasks.flatMap((task) => {
      const lines = readFileSync(logOf(lab, task.role, task.machine), 'utf8')
        .trim()
        .split('\n')
      return lines.slice(-3).map((line) => (line === '' ? '' : `\n  ${task.machine}: ${line}`))
    })
    throw new Fault(`${lastSentence(error.message)}${said.join('')}`)
  }
}

const lastSentence = (text: string): string => text.replace(/^.*berth: /s, '')

const textsIn = (json: unknown): readonly string[] =>
  Array.isArray(json) ? json.filter((one) => typeof one === 'string') : []

function tell({ lab, addresses }: Started, { out }: Io): void {
  const { topology, settings } = lab
  const [four = '', six = ''] = addresses
  const named = settings.name === usualName ? '' : ` --name ${settings.name}`
  out(`\n${pictureOf(topology)}\n`)
  out(`Service default/web has ${addresses.join(' and ')}. Try:\n`)
  const lines = [
    ...(settings.clients === 0
      ? []
      : [
          `berth lab exec client-1${named} -- curl -s http://${four}/`,
          ...(six === '' ? [] : [`berth lab exec client-1${named} -- ping -c 3 ${six}`]),
        ]),
    `berth lab status${named}`,
    ...routersOf(lab).map(
      ({ name }) => `berth lab exec ${name}${named} -- ${routesCommand(lab, name)}`,
    ),
    `berth lab fail node ${homeOf(lab, addresses) || 'node-1'}${named}`,
    `berth lab heal${named}`,
    `berth lab exec control${named} -- kubectl get services`,
    `berth lab down${named}`,
  ]
  for (const line of lines) out(`  ${line}\n`)
  out(`The kubeconfig is ${kubeconfigOf(lab)}; use it inside the lab, with exec.\n`)
}
