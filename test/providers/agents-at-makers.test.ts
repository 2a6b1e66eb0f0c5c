/** What coding agents send first, at makers of the formats and the clouds that serve their models: their strict rules, two rounds of tools and a last text. */
import t from 'tap'
import { agentsAt } from '../kit/vendors/conversation.js'
import { makers } from '../kit/vendors/index.js'

await agentsAt(t, makers)
