// How is a lab removed? Processes, namespaces, files: whatever is there of it, also after a crash.
import { findLab, removeFolder } from './labFolder.ts'
import { namespacesOf, removeNamespace } from './network.ts'
import { endAll, processesIn } from './processes.ts'

type Removed = { readonly processes: number; readonly namespaces: number }

/** Undefined where there was nothing. */
export async function removeLab(name: string): Promise<Removed | undefined> {
  const tasks = findLab(name)?.tasks ?? []
  const namespaces = namespacesOf(name)
  // Also what was started between two notes, or by hand: all that runs in a namespace of the lab.
  const found = namespaces.flatMap(processesIn)
  const pids = new Set(tasks.map(({ pid }) => pid))
  const processes = [...tasks, ...found.filter(({ pid }) => !pids.has(pid))]
  await endAll(processes)
  for (const namespace of namespaces) removeNamespace(namespace)
  const hadFolder = removeFolder(name)
  if (!hadFolder && namespaces.length === 0) return undefined
  return { processes: processes.length, namespaces: namespaces.length }
}
