// As whom does a DNS server run, and what may it do? Read the ConfigMaps of its namespace, since it
// learns its hosts from them.
import { apiGroups, apiVersionOf } from '../../model/apiGroups.ts'
import type { JsonObject } from '../../model/gate.ts'
import type { DnsMasq } from '../../model/names/dns.ts'
import { madeFromDns } from './madeFromDns.ts'
import { serverName } from './serverService.ts'

const rbac = apiVersionOf(apiGroups.rbac)

type Account = {
  readonly account: JsonObject
  readonly role: JsonObject
  readonly binding: JsonObject
}

export function serverAccount(server: DnsMasq): Account {
  const name = serverName(server)
  const kind = 'Role'
  return {
    account: madeFromDns(server, {
      apiVersion: apiVersionOf(apiGroups.core),
      kind: 'ServiceAccount',
      name,
    }),
    role: madeFromDns(server, {
      apiVersion: rbac,
      kind,
      name: `${name}-role`,
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }],
    }),
    binding: madeFromDns(server, {
      apiVersion: rbac,
      kind: 'RoleBinding',
      name: `${name}-rolebinding`,
      roleRef: { apiGroup: apiGroups.rbac.group, kind, name: `${name}-role` },
      subjects: [{ kind: 'ServiceAccount', name, namespace: server.namespace }],
    }),
  }
}
