export { withEffort } from './adaptive-thinking.js'
export {
  callForcesTool,
  forcesTool,
  namesTool,
  thinkingLost,
  withoutThinking,
} from './forced-tools.js'
export { type GoogleErrorFacts, googleFailure } from './google-errors.js'
export { knownEffort } from './known-efforts.js'
export {
  accepted,
  type BetaFact,
  knownBetas,
  type MessagesFacts,
  refusedOf,
} from './messages-facts.js'
export { needsResponses, type ResponsesFact } from './responses-facts.js'
export { uncountedFields } from './uncounted-fields.js'
export { changedEach, type Fact, isAbout, type ModelFact, withoutMembers } from './vendor-facts.js'
export { requireVersion, versionOf } from './version-header.js'
