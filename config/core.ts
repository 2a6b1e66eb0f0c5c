/** The plugins the kernel itself depends on, by the names they have here. */
import type { CorePlugins } from '../kernel/ports.js'

export const core: CorePlugins = {
  required: [
    ...['identity', 'ledger', 'pricing', 'channels', 'routing', 'options'],
    ...['rate-limits', 'audit'],
  ],
  settingsSource: 'options',
  ports: (service) => ({
    authenticator: service('identity'),
    limiter: service('rate-limits'),
    auditor: service('audit'),
    settings: service('options'),
  }),
}
