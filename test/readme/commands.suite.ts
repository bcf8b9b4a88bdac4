// Do the commands of the guides do what they are shown for? Each line of their blocks, on a machine
// that has the examples, an API with them in it, and the files that the lines name.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { type Machine, newMachine } from './machine.ts'

let machine: Machine
const start =
  'cd ~/work && export KUBECONFIG=~/.local/share/berth/kubeconfig PATH=~/.local/bin:$PATH'
const run = (command: string) => machine.shell(`${start}\n${command}`)

const guides = [
  'README.md',
  'docs/start.md',
  ...['plan', 'lint', 'explain', 'command-line'].map(guideOf),
]
function guideOf(name: string): string {
  return `docs/guides/${name}.md`
}
/** zsh's own variable is not there in bash: src/app/cli/completion asks the shells. */
const isForBash = (line: string): boolean => !/completion (?:zsh|fish)/.test(line)
/** Followed by readme.suite, and what runs all suites. */
const isForMake = (line: string): boolean => line.startsWith('make ')

const blocksIn = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
    ([, lines = '']) => lines,
  )
const lines = guides.flatMap((guide) =>
  blocksIn(readFileSync(guide, 'utf8'), 'sh')
    .flatMap((block) => block.trim().split('\n'))
    .filter((line) => isForBash(line) && !isForMake(line))
    .map((line) => ({ guide, line: line.replace(/\s+# .*$/, '') })),
)

/** What the lines take for granted. */
function prepare(): void {
  const [root, first = ''] = [
    resolve('.'),
    blocksIn(readFileSync('docs/start.md', 'utf8'), 'yaml')[0],
  ]
  const said = machine.shell(`set -e
mkdir -p ~/work/first ~/work/site ~/work/overlays/production ~/.local/share/man && cd ~/work
ln -s '${root}/berth' '${root}/examples' .
cat > first/cluster.yaml <<'END'
${first}END
cp -r first/cluster.yaml overlays/production/
echo 'resources: [cluster.yaml]' > overlays/production/kustomization.yaml
cp examples/change/*.yaml site/
for file in site/*.yaml; do echo ---; cat $file; done > my-change.yaml
./berth up --background --port 0 --with examples/cluster --with examples/first
kubectl --kubeconfig ~/.local/share/berth/kubeconfig config rename-context berth production
kubectl --kubeconfig ~/.local/share/berth/kubeconfig config use-context production
./berth export now --kubeconfig ~/.local/share/berth/kubeconfig`)
  expect(said).toMatchObject({ exit: 0 })
}

describe.skipIf(inject('kubectl') === '')('the commands of the guides', () => {
  beforeAll(async () => {
    machine = newMachine()
    prepare()
    const web = 'kubectl get service -n shop web -o jsonpath={.status.loadBalancer.ingress[0].ip}'
    await until('shop/web has an address', () => run(web).text || undefined)
  })
  afterAll(() => machine?.remove())

  // 2: something would change, or is wrong. 1 would be a command that does not work.
  test.each(lines)('$guide: $line', ({ line }) => {
    const { exit, text } = run(line)
    expect([0, 2], text).toContain(exit)
  })
})
