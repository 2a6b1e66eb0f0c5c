/** Objects without what holds nothing, under the names this format uses. */
export {
  present as defined,
  unlessEmpty,
  withoutNulls,
} from '../../../kernel/toolkit/json/index.js'
