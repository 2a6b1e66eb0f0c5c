/** What coding agents send first, at makers of models who speak the formats of others: their strict rules, two rounds of tools and a last text. */
import t from 'tap'
import { agentsAt } from '../kit/vendors/conversation.js'
import { speakers } from '../kit/vendors/index.js'

await agentsAt(t, speakers)
