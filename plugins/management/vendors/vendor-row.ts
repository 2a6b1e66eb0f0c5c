/** The row of a vendor, and the record the family's clients read. */
import { Model } from 'objection'

export class VendorRow extends Model {
  static override tableName = 'vendors'

  declare id: number
  declare name: string
  declare description: string
  declare icon: string
  declare status: number
  declare created_at: Date
  declare updated_at: Date
}

export type VendorRecord = ReturnType<typeof vendorRecord>

export function vendorRecord(row: VendorRow) {
  const { id, name, description, icon, status } = row
  return {
    id,
    name,
    description,
    icon,
    status,
    created_time: Math.floor(row.created_at.getTime() / 1000),
    updated_time: Math.floor(row.updated_at.getTime() / 1000),
  }
}
