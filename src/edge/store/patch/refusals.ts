// How does Kubernetes refuse a patch? With the messages of kube-apiserver.
import { badRequest, type Refused, refused } from '../values/status.ts'

/** Errors of its patch libraries have no reason: code 500, with their message. */
export const unexplained = (message: string): Refused => refused({ code: 500, reason: '', message })

/** A JSON patch does not fit the object; Kubernetes does not say which operation. */
export const rejected: Refused = refused(
  {
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
  },
  {},
)

/** Fields and items; the largest object and the largest patch have fewer together. */
const mostMerged = 4_000_000
const endless = badRequest('the patch merges the same lists and fields too often')

/** The first refusal of a walk that continues; its result is discarded. */
export class FirstRefusal {
  #first: Refused | undefined
  #left = mostMerged

  add(refusal: Refused): void {
    this.#first ??= refusal
  }

  /** A patch may name one item often, and each time its lists and fields are merged anew. */
  spend(count: number): void {
    this.#left -= count
    if (this.#left < 0) this.add(endless)
  }

  get first(): Refused | undefined {
    return this.#first
  }
}
