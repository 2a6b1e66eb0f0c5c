export { amountOf, decimalOf, movedDown, negated, sumOf } from './decimal.js'
export {
  numberOf,
  objectOf,
  objectsOf,
  parsedObject,
  parsedText,
  present,
  someText,
  textOf,
  unlessEmpty,
  withoutNulls,
} from './fields.js'
export { atOnce, inTurns, type Turns } from './in-turns.js'
export { jsonReading, readJson } from './json.js'
export { largeJson } from './large-json.js'
export {
  change,
  forbiddenKeys,
  hasWildcard,
  type Path,
  parsePath,
  valueAt,
  valuesAt,
} from './path.js'
export { readReplyAhead, readReplyJson, replyObject } from './reply.js'
export { deeplyRewritten, reachesDeep } from './rewrite.js'
export { holdsTooMuch } from './scan.js'
