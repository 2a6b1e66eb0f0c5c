/** The Bedrock provider under the conformance kit. */
import t from 'tap'
import { conformingProvider } from '../conformance/provider.js'
import { bedrockSubject } from './bedrock-subject.js'

conformingProvider((title, run) => t.test(title, async () => run()), bedrockSubject)
