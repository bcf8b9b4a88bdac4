// client-go and controller-runtime on our API: each check of test/clients/go is told under its name.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, inject, test } from 'vitest'

const build = spawnSync('sh', [join(import.meta.dirname, 'go', 'build.sh')], { encoding: 'utf8' })
const program = build.stdout.trim()
const why = build.stderr.trim().split('\n').at(-1) ?? ''
if (program === '') process.stdout.write(`programs in Go: not run: ${why}\n`)

test.skipIf(process.env['BERTH_REQUIRE_ALL'] !== '1')('the programs are there', () => {
  expect(program, why).not.toBe('')
})

describe.skipIf(program === '')('programs in Go', () => {
  test.each([
    ['account', 'a new namespace gets the account that Pods need, and again when it is deleted'],
    ['controller', 'a controller of controller-runtime: cache, owner, finalizer, leader'],
    ['definition', 'an operator installs its own definition, sent as protobuf'],
    ['election', 'leader election hands over'],
    ['eventsource', 'a recorder counts one Event'],
    ['informers', 'an informer sees what is written, in order'],
    ['openapi', 'every OpenAPI document is read with the types of Kubernetes'],
    ['review', 'a review that is asked for as a Table alone is refused'],
    ['serverside', 'two managers meet a conflict, and what one applied is extracted'],
    ['unmodelled', 'metadata alone is listed and watched'],
  ])('%s: %s', (name) => {
    const { stdout } = spawnSync(program, [inject('kubeconfig'), name], { encoding: 'utf8' })
    expect(stdout).toBe(`${name}: ok\n`)
  })
})
