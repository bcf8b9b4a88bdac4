// What is wrong with the manifests themselves, before anything is decided from them?
import { join, resolve } from 'node:path'
import { type LintFinding, withFix } from '../../../core/policy/lint/lintFinding.ts'
import type { Manifest, Unreadable } from '../../../edge/manifests/manifest.ts'
import type { Loaded, RefusedObject } from '../load.ts'
import { convertText, oldConfigText, twiceText, unplayedText } from '../troubles.ts'
import { deprecationFix } from './deprecationFix.ts'
import { locationIn } from './lintLocations.ts'

const remedies = {
  unreadable: 'correct the file; this part of it is not checked until then',
  invalid: 'correct the field: a cluster refuses the object',
  'duplicate-object': 'give one of the two another name, or remove it',
  'policy-not-played': 'lint or plan its Tenant instead',
  'unknown-field': 'correct or remove the field: kubectl refuses the object, other clients lose it',
  'unknown-annotation': 'correct or remove the annotation: nothing reads this name',
  'kustomize-not-built': 'build the folder and check what it makes',
  'old-configuration': 'convert it to resources, and remove it from the manifests',
  deprecated: 'replace or remove it as the message says',
} as const

export function writtenFindings(loaded: Loaded): LintFinding[] {
  const { unreadable, refused, twice, warned, oldConfigs, unbuilt, unplayed } = loaded
  return [
    ...unreadable.map(notRead),
    ...refused.flatMap(notAdmitted),
    ...twice.flatMap(duplicates),
    ...warned.map(warning),
    ...oldConfigs.map(oldConfig),
    ...unbuilt.map(notBuilt),
    ...unplayed.map(notPlayed),
  ]
}

function notRead({ source, why }: Unreadable): LintFinding {
  const code = 'unreadable'
  const about = { severity: 'error', object: '', field: '', message: why } as const
  const remedy = source.line === 0 ? 'name a file or folder that can be read' : remedies[code]
  return { code, ...about, ...source, remedy }
}

function oldConfig({ id: object, manifest }: Loaded['oldConfigs'][number]): LintFinding {
  const code = 'old-configuration'
  const about = {
    severity: 'warning',
    object,
    field: 'data.config',
    message: oldConfigText,
  } as const
  const fix = convertText(manifest.source)
  return { code, ...about, ...locationIn(manifest, 'data'), remedy: remedies[code], fix }
}

/** Its patches are no objects, and what it adds to objects, such as a namespace, is missing. */
function notBuilt(folder: string): LintFinding {
  const code = 'kustomize-not-built'
  const message = `${folder} is a kustomize folder: its files are checked as they are, not as built`
  const about = { severity: 'warning', object: '', field: '', message } as const
  const place = { file: join(folder, 'kustomization.yaml'), line: 1 }
  return { code, ...about, ...place, remedy: remedies[code], fix: `berth lint -k ${folder}` }
}

/** It leads Services to pools that they do not ask for: what is said of them may be wrong. */
function notPlayed(one: Loaded['unplayed'][number]): LintFinding {
  const code = 'policy-not-played'
  const { source } = one.manifest
  const about = {
    severity: 'warning',
    object: '',
    field: '',
    message: unplayedText([one]),
  } as const
  return { code, ...about, file: source.file, line: source.line, remedy: remedies[code] }
}

function notAdmitted({ id, manifest, errors }: RefusedObject): LintFinding[] {
  const code = 'invalid'
  return errors.map(({ path, message }) => ({
    code,
    severity: 'error',
    object: id,
    ...locationIn(manifest, path),
    field: path,
    message,
    ...wayOut(id, manifest, message),
  }))
}

/** The message about a kind that is not served says what it is called now, if that is known. */
function wayOut(id: string, { source }: Manifest, message: string) {
  if (id.startsWith('AddressPool/')) {
    const remedy = 'convert it to an IPAddressPool and its advertisements'
    return { remedy, fix: `berth migrate addresspools ${source.file}` }
  }
  const isUnknown = message.startsWith('no matches for kind')
  return { remedy: isUnknown ? 'correct the kind or the apiVersion' : remedies.invalid }
}

/** Reported for both objects, as every conflict. */
function duplicates(two: Loaded['twice'][number]): LintFinding[] {
  const { id, manifest, first } = two
  const [before, after] = [first.source, manifest.source]
  const isOneText = before.line === after.line && resolve(before.file) === resolve(after.file)
  // Objects without a name are refused anyway; they are not the same object.
  if (isOneText || id.endsWith('/')) return []
  const message = twiceText(two)
  const code = 'duplicate-object'
  return [before, after].map((source) => ({
    code,
    severity: 'error',
    object: id,
    ...source,
    field: '',
    message,
    remedy: remedies[code],
  }))
}

function warning({ id, manifest, warning: message }: Loaded['warned'][number]): LintFinding {
  const [, what, name = ''] = /^unknown (field|annotation) "([^"]*)"/.exec(message) ?? []
  const unknown = what === 'annotation' ? `metadata.annotations[${name}]` : name
  const code = what === undefined ? 'deprecated' : (`unknown-${what}` as keyof typeof remedies)
  const field = what === undefined ? deprecatedField(message) : unknown
  const about = { severity: 'warning', object: id, field, message } as const
  const finding = { code, ...about, ...locationIn(manifest, field), remedy: remedies[code] }
  return withFix(finding, what === undefined ? deprecationFix(finding, manifest) : undefined)
}

/** A warning of admission starts with the annotation, the field or the version. */
function deprecatedField(message: string): string {
  const [, annotation] = /^annotation (\S+) is deprecated/.exec(message) ?? []
  if (annotation !== undefined) return `metadata.annotations[${annotation}]`
  const [, field] = /^(spec\.\S+) is deprecated/.exec(message) ?? []
  return field ?? 'apiVersion'
}
