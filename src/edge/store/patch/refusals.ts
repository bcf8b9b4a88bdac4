// How does Kubernetes refuse a patch? With the messages of kube-apiserver.
import { type Refused, refused } from '../values/status.ts'

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

/** The first refusal of a walk that continues; its result is discarded. */
export class FirstRefusal {
  #first: Refused | undefined

  add(refusal: Refused): void {
    this.#first ??= refusal
  }

  get first(): Refused | undefined {
    return this.#first
  }
}
