export {
  anyCredential,
  bearerCredential,
  generativeCredential,
  messagesCredential,
} from './credential.js'
export { isHeaderName, isHeaderValue } from './header-hygiene.js'
export { jsonBody, jsonRelay } from './json-relay.js'
export { requireJson } from './media-type.js'
export { refuseForeign, requireSameOrigin } from './same-origin.js'
