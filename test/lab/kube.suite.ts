// Does it work on the real Kubernetes, with the real kube-proxy on every node? The same lab, once.
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { berthLab, homeOf, labNamed, ownerOf, web } from './namespaces.ts'

const name = 'testkube'
const lab = labNamed(name)
const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
const folder = process.env['KUBEBUILDER_ASSETS'] ?? join(cache, 'berth', 'kube-1.36.3')
/** It is built by test/kube/engine/kube-proxy/build.sh, which takes minutes: not here. */
const isBuilt = existsSync(join(folder, 'kube-proxy'))
const curl = (host: string): string =>
  lab.in('client-1', 'curl', '-sS', '-m', '5', `http://${host}/`).out.trim()

describe.skipIf(inject('lab') === '' || !isBuilt)('on Kubernetes', () => {
  afterAll(() => void berthLab(name, 'down'))

  test('[P3] kube-proxy leads on what the speaker brings, also after a node is lost', async () => {
    expect(lab.berth('up', '--kube', '--routers', '0')).toMatchObject({ status: 0, err: '' })
    const home = homeOf(web.four)
    await ownerOf(lab, web.four, (owner) => owner === home)
    expect([curl(web.four), curl(`[${web.six}]`)]).toEqual([home, home])
    lab.berth('fail', 'node', home)
    const after = await ownerOf(lab, web.four, (owner) => owner !== home)
    expect([curl(web.four), curl(`[${web.six}]`)]).toEqual([after, after])
  })
})
