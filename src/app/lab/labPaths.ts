// Where is what a lab writes? All of it in the folder of that lab.
import { join } from 'node:path'

type Foldered = { readonly folder: string }

export const kubeconfigOf = ({ folder }: Foldered): string => join(folder, 'api', 'kubeconfig')
/** What the speakers seal with. */
export const keyFileOf = ({ folder }: Foldered): string => join(folder, 'members.key')
export const logOf = ({ folder }: Foldered, role: string, machine: string): string =>
  join(folder, 'logs', `${role}-${machine}.log`)
