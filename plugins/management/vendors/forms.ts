/** What the vendors area takes. */
import joi from 'joi'
import { manyLines, oneLine, pagedQuery, rowId } from '../../../kernel/toolkit/management/index.js'

interface VendorForm {
  readonly name?: string
  readonly description?: string
  readonly icon?: string
  readonly status?: number
}

export interface NewVendor extends VendorForm {
  readonly name: string
}

export interface VendorChanges extends VendorForm {
  readonly id: number
}

export interface VendorSearch {
  readonly p: number
  readonly page_size: number
  readonly keyword: string
}

const fields = {
  name: oneLine.min(1).max(128),
  description: manyLines.max(4096),
  icon: oneLine.allow('').max(512),
  // 1 on; 0 and 2 off.
  status: joi.valid(0, 1, 2),
}

export const newVendor = joi
  .object({ ...fields, name: fields.name.required() })
  .prefs({ stripUnknown: true })
  .required()

export const vendorChanges = joi
  .object({ ...fields, id: rowId.required() })
  .prefs({ stripUnknown: true })
  .required()

export const vendorId = joi.object({ id: rowId.required() })

export const vendorSearch = pagedQuery({ keyword: oneLine.allow('').max(128).default('') })
