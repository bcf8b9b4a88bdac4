// What stands in the pods of a DNS server, that keeps them answering (R13.4)?
import { expect, test } from 'vitest'
import { usualImages } from '../../src/core/policy/names/decideDnsMasq.ts'
import { serverDeployment } from '../../src/core/policy/names/serverDeployment.ts'
import { decodeDnsMasq } from '../../src/edge/kube/decode/decodeDns.ts'
import { Fields } from '../../src/edge/kube/decode/fields.ts'

const server = decodeDnsMasq(
  new Fields({ metadata: { name: 'dns', namespace: 'openstack', uid: 'd' }, spec: {} }, []),
)
const deployed = (hasUserIds: boolean) => ({
  deployment: serverDeployment({
    ...{ server, images: usualImages, options: 'max-ttl=60\n', topology: undefined },
    hasUserIds,
  }),
})
const podOf = (spec: object) => ({ deployment: { spec: { template: { spec } } } })

test('[R13.4] both containers run as one user, so that one can signal the other', () => {
  const [usual, ofOpenshift] = [false, true].map(deployed)
  const shareProcessNamespace = true
  expect(usual).toMatchObject(
    podOf({ shareProcessNamespace, securityContext: { runAsUser: 65_534 } }),
  )
  expect(ofOpenshift).toMatchObject(podOf({ shareProcessNamespace }))
  expect(JSON.stringify(ofOpenshift)).not.toContain('runAsUser')
})

test('[R13.4] a pod that goes is asked until every node knows, and one whose writer ends is ready', () => {
  expect(deployed(false)).toMatchObject(
    podOf({
      terminationGracePeriodSeconds: 10,
      containers: [
        { name: 'dnsmasq-dns', lifecycle: { preStop: { exec: { command: ['sleep', '5'] } } } },
        { name: 'hosts', args: expect.arrayContaining(['--restart']) },
      ],
    }),
  )
})

test('[R13.4] pods of an earlier revision start with the options that they had', () => {
  expect(deployed(false)).toMatchObject({
    deployment: {
      spec: {
        template: {
          metadata: { annotations: { 'berth.dev/dnsmasq-options': 'max-ttl=60\n' } },
          spec: {
            initContainers: [
              { name: 'init', terminationMessagePolicy: 'FallbackToLogsOnError' },
              { name: 'hosts-init' },
            ],
            volumes: [
              {
                downwardAPI: {
                  items: [
                    {
                      path: 'config.cfg',
                      fieldRef: {
                        fieldPath: "metadata.annotations['berth.dev/dnsmasq-options']",
                      },
                    },
                  ],
                },
              },
              { name: 'hosts', emptyDir: {} },
              { name: 'servers', emptyDir: {} },
            ],
          },
        },
      },
    },
  })
})
