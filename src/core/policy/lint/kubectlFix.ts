// How is a fix written down? As a command that can be copied into a shell.

/** The command for an object that is named Kind/namespace/name or Kind/name. */
export function kubectlFix(object: string, verb: string, ...args: readonly string[]): string {
  const [kind = '', ...names] = object.split('/')
  const [name = '', namespace] = names.toReversed()
  const place = namespace === undefined ? [] : ['-n', namespace]
  return ['kubectl', ...place, verb, kind.toLowerCase(), name, ...args.map(quoted)].join(' ')
}

const quoted = (text: string): string =>
  /^[\w./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`
