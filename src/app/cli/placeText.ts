// Where is it written? The file, and the line if it is about one.
import type { Location } from '../../core/policy/lint/lintFinding.ts'

export const placeText = ({ file, line }: Location): string =>
  line === 0 ? file : `${file}:${line}`
