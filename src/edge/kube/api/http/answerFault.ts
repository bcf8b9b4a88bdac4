// What went wrong with an answer? Without the request, which the caller knows and adds.
import { Fault } from '../fault.ts'

export class AnswerFault extends Fault {
  override readonly name = 'AnswerFault'
}
