// What is wrong with the manifests themselves, before anything is decided from them?
import { resolve } from 'node:path'
import { type LintFinding, withFix } from '../../../core/policy/lint/lintFinding.ts'
import type { Unreadable } from '../../../edge/manifests/manifest.ts'
import type { Loaded, RefusedObject } from '../load.ts'
import { deprecationFix } from './deprecationFix.ts'
import { locationIn } from './lintLocations.ts'

const remedies = {
  unreadable: 'correct the file; this part of it is not checked until then',
  invalid: 'correct the field: a cluster refuses the object',
  'duplicate-object': 'give one of the two another name, or remove it',
  'unknown-field': 'correct or remove the field: a cluster drops it silently',
  'unknown-annotation': 'correct or remove the annotation: nothing reads this name',
  deprecated: 'replace or remove it as the message says',
} as const

export function writtenFindings({ unreadable, refused, twice, warned }: Loaded): LintFinding[] {
  return [
    ...unreadable.map(notRead),
    ...refused.flatMap(notAdmitted),
    ...twice.flatMap(duplicates),
    ...warned.map(warning),
  ]
}

function notRead({ source, why }: Unreadable): LintFinding {
  const code = 'unreadable'
  const about = { severity: 'error', object: '', field: '', message: why } as const
  return { code, ...about, ...source, remedy: remedies[code] }
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
    remedy: remedies[code],
  }))
}

/** Reported for both objects, as every conflict. */
function duplicates({ id, manifest, first }: Loaded['twice'][number]): LintFinding[] {
  const [before, after] = [first.source, manifest.source]
  const isOneText = before.line === after.line && resolve(before.file) === resolve(after.file)
  // Objects without a name are refused anyway; they are not the same object.
  if (isOneText || id.endsWith('/')) return []
  const [here, there] = [after, before].map(({ file, line }) => `${file}:${line}`)
  const message = `two objects have the same name: the one in ${here} replaces the one in ${there}`
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
  const [, what, name = ''] = /^unknown (field|annotation) "(.*)"$/.exec(message) ?? []
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
