// Where does a lab keep its files? All of them in its folder.
import { join } from 'node:path'

type Foldered = { readonly folder: string }

export const kubeconfigOf = ({ folder }: Foldered): string => join(folder, 'api', 'kubeconfig')
/** The speakers' shared key. */
export const keyFileOf = ({ folder }: Foldered): string => join(folder, 'members.key')
export const logOf = ({ folder }: Foldered, role: string, machine: string): string =>
  join(folder, 'logs', `${role}-${machine}.log`)
