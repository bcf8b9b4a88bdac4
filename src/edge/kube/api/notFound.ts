// What does a 404 mean? That the object is not there; without a name, that its kind is not served.
import { Fields } from '../decode/fields.ts'
import { ApiError } from './fault.ts'

export const isNotFound = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 404

/** The kind is served, and the object of that name is not there. */
export const isObjectGone = (error: unknown, name: string): boolean =>
  isNotFound(error) && new Fields(error.status, []).inner('details').text('name') === name

/** Undefined when there is no such object. */
export async function ifThere<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** One that is there already counts as created: the answer to a first request may be lost. */
export async function ifNew(creation: Promise<unknown>): Promise<void> {
  try {
    await creation
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 409)) throw error
  }
}
