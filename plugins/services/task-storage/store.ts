/** What a place for files does. Names are checked already; whatever goes wrong is thrown. */
import type { ByteSource } from '../../../kernel/contract/bytes.js'
import type { FileStretch } from './task-storage.js'

export interface Store {
  put(name: string, bytes: { pieces: AsyncIterable<Buffer>; type: string }): Promise<void>
  read(name: string, stretch?: FileStretch): Promise<ByteSource | undefined>
  remove(name: string): Promise<void>
  /** Removes what broke off before this moment. */
  tidy(before: Date): Promise<void>
}

/** What went wrong, in a sentence an admin may read. */
export class StorageFault extends Error {}
