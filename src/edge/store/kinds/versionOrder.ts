// Which of two versions does Kubernetes prefer? v2 before v1 before v1beta2 before v1alpha1; names
// of another form come last, in alphabetical order.

const form = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/
const stages = ['alpha', 'beta', undefined]

/** Negative if the first is preferred. */
export function versionOrder(one: string, other: string): number {
  const [first, second] = [form.exec(one), form.exec(other)]
  if (first === null || second === null) {
    if (first !== null || second !== null) return first === null ? 1 : -1
    return one < other ? -1 : 1
  }
  const [, major = '', stage, minor = ''] = first
  const [, otherMajor = '', otherStage, otherMinor = ''] = second
  return (
    stages.indexOf(otherStage) - stages.indexOf(stage) ||
    Number(otherMajor) - Number(major) ||
    Number(otherMinor) - Number(minor)
  )
}
