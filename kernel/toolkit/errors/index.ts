export { EgressError, noRoom } from './egress-error.js'
export {
  maskedBody,
  maskedFailure,
  operatorMessage,
  secretsOfCall,
} from './masked-failure.js'
export { failureOf, refused, toClientError } from './outcome.js'
export { faultFields, internalFailure, PluginFault } from './plugin-fault.js'
export { clientError, concerning, Refusal, type RefusalCode, refusalCodes } from './refusal.js'
export {
  type ErrorFields,
  failureOfError,
  garbled,
  nestedError,
  statusIn,
  tooLarge,
  upstreamFailure,
} from './upstream-failure.js'
