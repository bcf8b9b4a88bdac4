// Which command fixes a finding?
import { expect, test } from 'vitest'
import { lint } from '../../../../test/build/linting.ts'
import { pool, service } from '../../../../test/build/lintManifests.ts'

const address = (ip: string): string => `apiVersion: berth.dev/v1alpha1
kind: Address
metadata: {name: ${ip}}
spec: {address: ${ip}, reservedFor: {namespace: shop, name: web}}
`
const peer = `apiVersion: metallb.io/v1beta2
kind: BGPPeer
metadata: {name: tor, namespace: metallb-system}
spec: {myASN: 64512, peerASN: 64513, peerAddress: 192.0.2.1, disableMP: true}
`

test('a deprecated version is told at its apiVersion, and no command mends it', async () => {
  const { findings } = await lint({
    'a.yaml': peer.replace('v1beta2', 'v1beta1').replace(', disableMP: true', ''),
  })
  expect(findings).toMatchObject([{ code: 'deprecated', field: 'apiVersion', line: 1 }])
  expect(findings[0]?.fix).toBeUndefined()
})

const onPool = 'kubectl -n metallb-system annotate ipaddresspool lan'
const onService = 'kubectl -n shop annotate service web'
const old = (value: string) => service('web', `metallb.universe.tf/allow-shared-ip: ${value}`)
const annotated = (text: string) => pool('lan', '192.0.2.0/24', `annotations: {${text}}`)
const fixes: { code: string; text: string; fix: string }[] = [
  {
    code: 'deprecated',
    text: old('front'),
    fix: `${onService} metallb.io/allow-shared-ip=front metallb.universe.tf/allow-shared-ip-`,
  },
  {
    code: 'deprecated',
    text: old(`"it's; $HOME"`),
    fix: `${onService} 'metallb.io/allow-shared-ip=it'"'"'s; $HOME' metallb.universe.tf/allow-shared-ip-`,
  },
  {
    code: 'deprecated',
    text: service(
      'web',
      '{metallb.universe.tf/allow-shared-ip: a, metallb.io/allow-shared-ip: b}',
    ).replace(/note: none\n +/, ''),
    fix: `${onService} metallb.universe.tf/allow-shared-ip-`,
  },
  {
    code: 'deprecated',
    text: peer,
    fix: `kubectl -n metallb-system patch bgppeer tor --type=json -p '[{"op":"remove","path":"/spec/disableMP"}]'`,
  },
  {
    code: 'unknown-tenant',
    text: pool('lan', '192.0.2.0/24', 'labels: {berth.dev/tenant: north}'),
    fix: 'kubectl -n metallb-system label ipaddresspool lan berth.dev/tenant-',
  },
  {
    code: 'bad-annotation',
    text: annotated('berth.dev/when-full: maybe'),
    fix: `${onPool} --overwrite berth.dev/when-full=wait`,
  },
  {
    code: 'bad-annotation',
    text: annotated('berth.dev/split: half'),
    fix: `${onPool} --overwrite berth.dev/split=available`,
  },
  {
    code: 'bad-annotation',
    text: annotated('berth.dev/serves: "api, Bad, lan2"'),
    fix: `${onPool} --overwrite berth.dev/serves=api,lan2`,
  },
  {
    code: 'bad-annotation',
    text: annotated('berth.dev/serves: "Bad"'),
    fix: `${onPool} berth.dev/serves-`,
  },
  {
    code: 'reservation-twice',
    text: [address('192.0.2.7'), address('192.0.2.6')].join('---\n'),
    fix: 'kubectl delete address 192.0.2.7',
  },
  {
    // The lowest lies in no pool, so the Service has the other.
    code: 'reservation-twice',
    text: [
      address('192.0.2.7'),
      address('192.0.2.6'),
      pool('lan', '192.0.2.7/32'),
      service('web'),
    ].join('---\n'),
    fix: 'kubectl delete address 192.0.2.6',
  },
]
test.each(fixes)('$code is mended by $fix', async ({ code, text, fix }) => {
  const { findings } = await lint({ 'a.yaml': text })
  expect(findings.filter((one) => one.code === code).flatMap((one) => one.fix ?? [])).toEqual([fix])
})
