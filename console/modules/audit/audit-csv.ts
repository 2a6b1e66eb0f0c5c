/** Entries of the audit log as a table for auditors. Names of columns are the API's, so that scripts can read them too. */
import type { AuditEntry } from '../../api/audit.js'
import type { CsvOptions } from '../../ui/list/use-csv-export.js'

export const auditCsvColumns: CsvOptions<AuditEntry>['columns'] = [
  ['id', ({ id }) => id],
  ['time', ({ created_at }) => new Date(created_at * 1000).toISOString()],
  ['actor_id', ({ actor_id }) => actor_id ?? 0],
  ['actor_name', ({ actor_name }) => actor_name],
  ['actor_role', ({ actor_role }) => actor_role],
  ['via', ({ via }) => via],
  ['ip', ({ ip }) => ip],
  ['action', ({ action }) => action],
  ['object', ({ object }) => object],
  ['object_name', ({ object_name }) => object_name],
  ['detail', ({ detail }) => detail],
  ['request_id', ({ request_id }) => request_id],
  ['before_hash', ({ before_hash }) => before_hash],
  ['after_hash', ({ after_hash }) => after_hash],
  ['hash', ({ hash }) => hash],
]
