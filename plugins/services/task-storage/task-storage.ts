/** What others see of the storage of task results: files under names, in a folder or a bucket. Which results they are is not its business. */
import type { ByteSource } from '../../../kernel/contract/bytes.js'

export interface TaskStorage {
  /** Where new files go. Undefined: results are not stored. */
  place(): StoragePlace | undefined
  /** Days a file is kept; 0: as long as its task. */
  days(): number
  /** Keeps the bytes under the name, in place of what has it; a file that is not whole has no name. Never rejects. */
  put(file: StoredFile, bytes: TypedBytes): Promise<PutOutcome>
  /** Undefined: there is no such file. Rejects where that is not known. */
  read(file: StoredFile, stretch?: FileStretch): Promise<ByteSource | undefined>
  /** A file that is not there is removed. Rejects where it may still be there. */
  remove(file: StoredFile): Promise<void>
  /** Removes what transfers that broke off a day ago left behind. */
  tidy(): Promise<void>
}

export type StoragePlace = 'folder' | 's3'

export interface StoredFile {
  readonly place: StoragePlace
  /** `<yyyy-mm>/<task>-<number>`. */
  readonly name: string
}

export interface TypedBytes {
  readonly source: ByteSource
  /** `video/mp4`. */
  readonly type: string
}

export interface FileStretch {
  readonly from: number
  /** Not included. */
  readonly to: number
}

export type PutOutcome =
  | { readonly kind: 'stored'; readonly bytes: number }
  /** `large`: more bytes than are stored. `source`: they broke off. `storage`: the folder or the bucket did not take them. */
  | { readonly kind: 'large' | 'source' | 'storage'; readonly reason: string }

declare module '../../../kernel/contract/service.js' {
  interface Services {
    'task-storage': TaskStorage
  }
}
