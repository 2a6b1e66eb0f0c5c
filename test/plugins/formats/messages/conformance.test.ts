/** The messages format under the conformance kit. */
import t from 'tap'
import { conformingFormat } from '../../../conformance/format.js'
import { messagesSubject } from './subject.js'

conformingFormat((title, run) => t.test(title, async () => run()), messagesSubject)
