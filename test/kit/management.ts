/** The client of the management API, which holds every response against what its route declares. */
import { type Management, management as plainManagement } from '../testing/management.js'
import { requireDeclaredResponses } from './responses.js'

export {
  knowSetupCode,
  type Management,
  root,
  type Sent,
  setupCodeIn,
  setupCodeOf,
} from '../testing/management.js'

export function management(url: string): Management {
  return plainManagement(url, requireDeclaredResponses)
}
