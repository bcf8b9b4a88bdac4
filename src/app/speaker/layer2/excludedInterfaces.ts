// Which interfaces never announce? Those in a file in MetalLB's format (M5.4), or a default list.
import { readFile } from 'node:fs/promises'
import { Fault, faultFrom } from '../../../edge/kube/api/fault.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { yamlWhenRead } from '../../../edge/manifests/yamlWhenRead.ts'

/** Container bridges and tunnels, where no client asks for a Service. */
const usual = [
  '^docker.*',
  '^cbr.*',
  '^dummy.*',
  '^virbr.*',
  '^lxcbr.*',
  '^veth.*',
  '^lo$',
  '^cali.*',
  '^tunl.*',
  '^flannel.*',
  '^kube-ipvs.*',
  '^cni.*',
  '^nodelocaldns.*',
  '^lxc.*',
]

export async function excludedInterfaces(file: string | undefined): Promise<RegExp> {
  if (file === undefined) return anyOf(usual, 'the default list')
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw faultFrom(error, file)
  })
  const patterns = new Fields(await yamlWhenRead(text), []).texts('announcedInterfacesToExclude')
  return anyOf(patterns, file)
}

function anyOf(patterns: readonly string[], from: string): RegExp {
  // With an empty list every interface announces: '^$' matches no name.
  const all = patterns.length === 0 ? ['^$'] : patterns
  try {
    return new RegExp(all.map((one) => `(?:${one})`).join('|'))
  } catch (error) {
    throw new Fault(`${from}: not a valid regular expression`, { cause: error })
  }
}
