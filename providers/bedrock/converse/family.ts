/** What a family of models takes of a Converse request, of what not all of them take. */
import type { Fact } from '../../../kernel/toolkit/vendors/index.js'

export interface Family extends Fact {
  /** Upstream ids, bare, with the prefix of a profile or within an ARN. Of two families never both. */
  readonly models: RegExp
  /** Which orders to call a tool it takes; "auto" is every model's own way. Absent: none. */
  readonly choices?: readonly ('required' | 'named')[]
  /** `none`: it knows no tools. `whole`: it calls them, but not in a stream. Absent: it calls them. */
  readonly tools?: 'none' | 'whole'
  /** Ids of calls have nine letters and digits. */
  readonly shortToolIds?: true
  /** Of a tool's schema only `type`, `properties` and `required` stand at the top. */
  readonly plainSchemas?: true
  /** A result may be marked as failed. */
  readonly failedResults?: true
  /** Answers and calls can be held to a schema. */
  readonly structured?: true
  /** Where cache marks may stand. Absent: it takes none. */
  readonly caches?: 'turns' | 'turns and tools'
  /** Marks may last an hour. */
  readonly longCache?: true
  /** Its field for the number of candidates per token. */
  readonly topK?: 'inferenceConfig.topK' | 'top_k'
  /** Its words for an effort of reasoning. */
  readonly effort?: 'nova' | 'gpt-oss'
}
