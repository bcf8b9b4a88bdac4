// May a DNSMasq or a DNSData be as proposed? Only what can never work is refused (R13.3).
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { FieldError } from '../../model/admission.ts'
import { invalid } from '../../model/fieldError.ts'
import type { DnsData, DnsMasq } from '../../model/names/dns.ts'
import { isLabelValue } from '../../model/names.ts'
import { dividedOptions, optionLines } from './dnsOptions.ts'

export function checkDnsMasq(server: DnsMasq): readonly FieldError[] {
  const { topology, namespace, unread } = server
  const path = 'spec.topologyRef.namespace'
  const isElsewhere = topology !== undefined && topology.namespace !== namespace
  const elsewhere = isElsewhere
    ? [invalid(path, topology.namespace, 'must be the namespace of the DNSMasq, or left out')]
    : []
  return [...checkSelector(server), ...elsewhere, ...unread, ...checkLength(server)]
}

/** They are an annotation of the pods, and Kubernetes allows 256 KiB for all annotations. */
const mostBytes = 200 * 1024

function checkLength({ options }: DnsMasq): readonly FieldError[] {
  const { others } = dividedOptions(optionLines(options))
  if (utf8ToBytes(others).length <= mostBytes) return []
  const message = `Too long: may not be more than ${mostBytes} bytes, without servers`
  return [{ path: 'spec.options', message }]
}

/** It becomes the value of a label. */
export const checkSelector = ({ selects }: DnsMasq | DnsData): readonly FieldError[] =>
  isLabelValue(selects) ? [] : [invalid('spec.dnsDataLabelSelectorValue', selects, labelRule)]

const labelRule = 'must be a label value: at most 63 letters, digits, "-", "_" and "."'
