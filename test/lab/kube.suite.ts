// Does it work on the real Kubernetes, with the real kube-proxy on every node? The same lab, once.
import { afterAll, describe, expect, inject, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { berthLab, homeOf, labNamed, web } from './namespaces.ts'

const name = 'testkube'
const lab = labNamed(name)
const curl = (host: string): string =>
  lab.in('client-1', 'curl', '-sS', '-m', '5', `http://${host}/`).out.trim()

describe.skipIf(!inject('hasKube'))('on Kubernetes', () => {
  afterAll(() => void berthLab(name, 'down'))

  test('[P3] kube-proxy leads on what the speaker brings, also after a node is lost', async () => {
    expect(lab.berth('up', '--kube', '--routers', '0')).toMatchObject({ status: 0, err: '' })
    const home = homeOf(web.four)
    const both = (): string[] => [curl(web.four), curl(`[${web.six}]`)]
    await until('both are at home', () => both().every((node) => node === home) || undefined)
    lab.berth('fail', 'node', home)
    await until('both are at another', () => {
      const [four, six] = both()
      return (four !== '' && four !== home && four === six) || undefined
    })
  })
})
