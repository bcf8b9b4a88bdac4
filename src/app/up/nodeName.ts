// What is a Node called on a machine of this name?

/** As kubelet names its Node, where that is a name at all; short enough to be a label too. */
export function nodeName(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .slice(0, 63)
  return name.replace(/\.+/g, '.').replace(/^[.-]+|[.-]+$/g, '') || 'node'
}
