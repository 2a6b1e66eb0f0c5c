/** The audit log: who did what, in rows that are added and never touched again. */
import type { Kit } from '../../../kernel/contract/kit.js'
import type { Audit } from './audit.js'

export type * from './audit.js'

export default function create(_kit: Kit<'database'>): Audit {
  return { record: async () => {} }
}
