// What went wrong with an answer? It does not say with which: who asked knows, and says so.
import { Fault } from '../fault.ts'

export class AnswerFault extends Fault {
  override readonly name = 'AnswerFault'
}
