export { amountOf, decimalOf, movedDown, negated, sumOf } from './decimal.js'
export {
  numberOf,
  objectOf,
  objectsOf,
  parsedObject,
  present,
  someText,
  textOf,
  unlessEmpty,
  withoutNulls,
} from './fields.js'
export { readJson, readReplyJson } from './json.js'
export {
  change,
  forbiddenKeys,
  hasWildcard,
  type Path,
  parsePath,
  valueAt,
  valuesAt,
} from './path.js'
export { deeplyRewritten, reachesDeep } from './rewrite.js'
export { holdsTooMuch, isJsonTooLarge } from './scan.js'
