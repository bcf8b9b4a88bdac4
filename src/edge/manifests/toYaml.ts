// How is an object shown to people? As YAML that kubectl and other parsers read back the same.
import { DUMP_SCHEMA, defineScalarTag, dump, NOT_RESOLVED } from 'js-yaml'
import { plainScalar } from './scalar.ts'

/** Text that kubectl alone takes for something else, such as 0X1F, is quoted too. */
const kubectlTag = defineScalarTag('!kubectl', {
  implicit: true,
  resolve: (text) => (typeof plainScalar(text) === 'string' ? NOT_RESOLVED : text),
  identify: () => false,
})
const schema = DUMP_SCHEMA.withTags(kubectlTag)

/** Laid out as kubectl does it: lists are not indented, long lines not folded, nothing shared. */
export function toYaml(json: unknown): string {
  return dump(json, { schema, noRefs: true, seqNoIndent: true, lineWidth: -1 })
}
