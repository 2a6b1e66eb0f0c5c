/** Lines of manifest and adapter together that a new plugin of each kind has at most. */
import type { scaffoldKinds } from '../../config/cli/plugin-new.js'

export const linesMax: Readonly<Record<(typeof scaffoldKinds)[number], number>> = {
  ...{ provider: 100, payment: 150, oauth: 80, notifier: 60, task: 150, guard: 60 },
}
