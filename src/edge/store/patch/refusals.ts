// In which words does Kubernetes refuse a patch? Those of kube-apiserver, where it has any.
import { type Refused, refused } from '../values/status.ts'

/** What its patch libraries refuse has no reason in Kubernetes: code 500, and their words. */
export const unexplained = (message: string): Refused => refused({ code: 500, reason: '', message })

/** The operations of a JSON patch do not fit the object; Kubernetes does not say which one. */
export const rejected: Refused = refused(
  {
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
  },
  {},
)

/** The first refusal of a walk that goes on as if there were none: its result is thrown away. */
export class FirstRefusal {
  #first: Refused | undefined

  add(refusal: Refused): void {
    this.#first ??= refusal
  }

  get first(): Refused | undefined {
    return this.#first
  }
}
