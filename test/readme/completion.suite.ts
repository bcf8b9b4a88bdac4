// What do the shells complete on a live API? Each in a terminal, with the line of the guide that loads the
// completion, and with the program itself.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { type Machine, newMachine } from './machine.ts'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

const install = spawnSync('bash', ['test/lab/install.sh', ...shells], { encoding: 'utf8' })
const why = install.status === 0 ? undefined : install.stderr.trim().split('\n').at(-1)
process.stdout.write(
  `completion in ${shells.join(', ')}: ${why === undefined ? 'ran' : `not run: ${why}`}\n`,
)
if (why !== undefined && process.env['BERTH_REQUIRE_ALL'] === '1') throw new Error(why)

const guide = readFileSync('docs/guides/command-line.md', 'utf8')
const lineOf = (shell: Shell): string =>
  new RegExp(`^.*completion ${shell}\\b.*?(?=\\s+#|$)`, 'm').exec(guide)?.[0] ?? 'false'

const objects = `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: { name: office, namespace: metallb-system }
spec: { addresses: [192.0.2.100-192.0.2.110, 'fd10:50::1-fd10:50::9'] }
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: default }
spec:
  type: LoadBalancer
  ipFamilyPolicy: PreferDualStack
  ports: [{ port: 80 }]
`

/** What is typed before Tab, and the line after it. */
const cases = [
  ['vers', 'version'],
  ['explain add', 'explain address'],
  ['plan --agai', 'plan --against'],
  ['plan -o wi', 'plan -o wide'],
  ['explain service default/w', 'explain service default/web'],
  ['explain pool off', 'explain pool office'],
  ['explain address fd10:50', 'explain address fd10:50::1'],
  ['explain address 192', 'explain address 192.0.2.100'],
  ['explain service web -n metal', 'explain service web -n metallb-system'],
  ['status --context ber', 'status --context berth'],
] as const

/** What is done once, with the line of the guide for zsh and fish, and what each shell starts with. */
const once: Readonly<Record<Shell, string>> = {
  bash: '',
  zsh: `mkdir -p ~/functions; fpath=(~/functions $fpath)\n${lineOf('zsh')}\n`,
  fish: `mkdir -p ~/.config/fish/completions\n${lineOf('fish')}\n`,
}
const starts: Readonly<Record<Shell, string>> = {
  bash: `PS1=\n${lineOf('bash')}\nbind -x '"\\C-x": echo "<<$READLINE_LINE>>"'\n`,
  zsh: `PROMPT=; fpath=(~/functions $fpath); autoload -U compinit; compinit -u -D
show() { print -r -- "<<$BUFFER>>"; BUFFER=; zle accept-line }
zle -N show; bindkey '^X' show; bindkey '^I' complete-word
`,
  fish: '',
}

/** Types into a terminal of its own, and a second key after Tab, which shows the line. */
const inTerminal = (shell: string) => `zmodload zsh/zpty
zpty shell ${shell}
zpty -w shell 'echo now""type'
zpty -r shell line '*nowtype*'
zpty -n -w shell "$1"$'\\t\\C-X'
zpty -r shell line '*<<*>>*'
print -r -- \${\${line##*<<}%%>>*}
`
const ways: Readonly<Record<Shell, string>> = {
  bash: inTerminal('bash --noprofile --rcfile ~/starts-bash -i'),
  zsh: inTerminal('env ZDOTDIR=$HOME/zsh zsh -d -i'),
  fish: '',
}

describe.skipIf(inject('kubectl') === '' || why !== undefined)('completion on a live API', () => {
  let machine: Machine
  const run = (commands: string): string =>
    machine.shell(`cd; export KUBECONFIG=~/.local/share/berth/kubeconfig\n${commands}`).text

  beforeAll(async () => {
    machine = newMachine()
    const home = run('pwd').trim()
    run('berth up --background --port 0; mkdir -p zsh')
    writeFileSync(join(home, 'objects.yaml'), objects)
    run('kubectl apply -f objects.yaml')
    for (const shell of shells) {
      for (const [what, text] of Object.entries({ once, starts, ways })) {
        writeFileSync(join(home, `${what}-${shell}`), text[shell])
      }
    }
    run('zsh -f once-zsh; cp starts-zsh zsh/.zshrc; fish once-fish')
    await until('it has both addresses', () => {
      const ips = run("kubectl get service web -o jsonpath='{.status.loadBalancer.ingress[*].ip}'")
      return ips.includes('192.0.2.100 fd10:50::1') || undefined
    })
  })
  afterAll(() => machine?.remove())

  describe.each(['bash', 'zsh'] as const)('%s, in a terminal', (shell) => {
    test.each(cases)('%s', (typed, becomes) => {
      const line = run(`zsh -f ways-${shell} 'berth ${typed}'`)
      expect(line.trim()).toBe(`berth ${becomes}`)
    })
  })

  test.each(cases)('fish: %s', (typed, becomes) => {
    const offered = run(`fish -c "complete -C 'berth ${typed}'"`).trim().split('\n')
    const words = offered.map((line) => line.split('\t')[0])
    expect(words).toEqual([becomes.split(' ').at(-1)])
  })
})
