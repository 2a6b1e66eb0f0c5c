/** What coding agents send first, at hosts of open models and servers of one’s own: their strict rules, two rounds of tools and a last text. */
import t from 'tap'
import { agentsAt } from '../kit/vendors/conversation.js'
import { hosts } from '../kit/vendors/index.js'

await agentsAt(t, hosts)
