/** Types of the management API. Made by `npm run generate:api`; not to be edited. */
export interface components {
    schemas: {
        /** @description What a management path returns. Some paths have fields beside `data`. */
        readonly Answer: {
            /** @constant */
            readonly success: true;
            readonly message: string;
            /** @description The requested data; null where there is none. */
            readonly data: unknown;
        };
        /** @description What a management path answers instead, beside the honest status. */
        readonly Refusal: {
            /** @constant */
            readonly success: false;
            /** @description One sentence for the reader. */
            readonly message: string;
            /** @description One word for scripts. Only probes of health leave it out. */
            readonly code?: string;
            readonly data: null;
            /** @description The field at fault, where one is. */
            readonly field?: string;
            /** @description With 429: the same in the words of a relay path. */
            readonly error?: Record<string, unknown>;
        };
        /** @description Free-form: what clients of the chat format send to this path. */
        readonly "chat-body": Record<string, unknown>;
        /** @description A refusal in the shape of the chat format. */
        readonly "chat-error": Record<string, unknown>;
        /** @description Free-form: what clients of the messages format send to this path. */
        readonly "messages-body": Record<string, unknown>;
        /** @description A refusal in the shape of the messages format. */
        readonly "messages-error": Record<string, unknown>;
        /** @description Free-form: what clients of the generative format send to this path. */
        readonly "generative-body": Record<string, unknown>;
        /** @description A refusal in the shape of the generative format. */
        readonly "generative-error": Record<string, unknown>;
        /** @description Free-form: what clients of the jimeng format send to this path. */
        readonly "jimeng-body": Record<string, unknown>;
        /** @description A refusal in the shape of the jimeng format. */
        readonly "jimeng-error": Record<string, unknown>;
        /** @description Free-form: what clients of the kling format send to this path. */
        readonly "kling-body": Record<string, unknown>;
        /** @description A refusal in the shape of the kling format. */
        readonly "kling-error": Record<string, unknown>;
        /** @description Free-form: what clients of the midjourney format send to this path. */
        readonly "midjourney-body": Record<string, unknown>;
        /** @description A refusal in the shape of the midjourney format. */
        readonly "midjourney-error": Record<string, unknown>;
        /** @description Free-form: what clients of the responses format send to this path. */
        readonly "responses-body": Record<string, unknown>;
        /** @description A refusal in the shape of the responses format. */
        readonly "responses-error": Record<string, unknown>;
        /** @description Free-form: what clients of the suno format send to this path. */
        readonly "suno-body": Record<string, unknown>;
        /** @description A refusal in the shape of the suno format. */
        readonly "suno-error": Record<string, unknown>;
        readonly AccessToken: {
            readonly id: number;
            /** @example backup script */
            readonly name: string;
            readonly scopes: readonly ("all" | "read" | "account:read" | "account:write" | "tokens:read" | "tokens:write" | "channels:read" | "channels:write" | "models:read" | "models:write" | "users:read" | "users:write" | "money:read" | "money:write" | "logs:read" | "logs:write" | "options:read" | "options:write" | "system:read" | "system:write")[];
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @description Unix seconds. */
            readonly expires_at: number;
            /** @description Unix seconds. 0: never. */
            readonly last_used_at: number;
            /** @description Empty: never used, or not known. */
            readonly last_used_address: string;
            readonly expired: boolean;
            /** @description Quota it may credit and debit a day, together. 0: none. */
            readonly daily_credit: number | string;
        };
        readonly AffinityRule: {
            readonly rule: string;
            /** @description Ties alive now. */
            readonly entries: number;
            /** @description Matched requests with a remembered channel. */
            readonly hits: number;
            /** @description Matched requests without one. */
            readonly misses: number;
            /** @description Sum over the responses of matched requests. */
            readonly cached_tokens: number;
        };
        readonly AffinityStats: {
            readonly entries: number;
            readonly rules: readonly components["schemas"]["AffinityRule"][];
        };
        readonly AnyTask: {
            readonly task_id: string;
            readonly request_id: string;
            readonly user_id: number;
            /** @description Empty until a channel is chosen. */
            readonly platform: string;
            readonly operation: string;
            readonly action: string;
            readonly model: string;
            readonly group: string;
            /** @enum {string} */
            readonly state: "submitting" | "queued" | "running" | "unknown" | "succeeded" | "failed";
            /** @description The state in the words of other gateways of this family. */
            readonly status: string;
            /** @description The upstream's own word. */
            readonly word: string;
            readonly percent: number;
            /** @description The same as text: `40%`. */
            readonly progress: string;
            readonly fail_reason: string;
            /** @description It succeeded after it had failed and was paid back. */
            readonly late_success: boolean;
            /** @description What it cost as far as is known. Quota units. */
            readonly quota: number;
            /** @description Charged when it was accepted. Quota units. */
            readonly charged: number;
            /** @description What it cost in the end. Null: it has not ended. */
            readonly cost: number | null;
            readonly results: readonly components["schemas"]["TaskMade"][];
            /** @description What was requested, media left out. */
            readonly request: Record<string, unknown>;
            /** @description What the upstream reports, in its words. */
            readonly data: Record<string, unknown>;
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @description Unix seconds. */
            readonly updated_at: number;
            /** @description Unix seconds. */
            readonly submit_time: number;
            /** @description Unix seconds. 0: not yet, or never. */
            readonly start_time: number;
            /** @description Unix seconds. 0: not yet, or never. */
            readonly finish_time: number;
            readonly username: string;
            readonly channel_id: number;
            readonly channel_name: string;
        };
        readonly AnyTaskDetails: {
            readonly task_id: string;
            readonly request_id: string;
            readonly user_id: number;
            /** @description Empty until a channel is chosen. */
            readonly platform: string;
            readonly operation: string;
            readonly action: string;
            readonly model: string;
            readonly group: string;
            /** @enum {string} */
            readonly state: "submitting" | "queued" | "running" | "unknown" | "succeeded" | "failed";
            /** @description The state in the words of other gateways of this family. */
            readonly status: string;
            /** @description The upstream's own word. */
            readonly word: string;
            readonly percent: number;
            /** @description The same as text: `40%`. */
            readonly progress: string;
            readonly fail_reason: string;
            /** @description It succeeded after it had failed and was paid back. */
            readonly late_success: boolean;
            /** @description What it cost as far as is known. Quota units. */
            readonly quota: number;
            /** @description Charged when it was accepted. Quota units. */
            readonly charged: number;
            /** @description What it cost in the end. Null: it has not ended. */
            readonly cost: number | null;
            readonly results: readonly components["schemas"]["TaskMade"][];
            /** @description What was requested, media left out. */
            readonly request: Record<string, unknown>;
            /** @description What the upstream reports, in its words. */
            readonly data: Record<string, unknown>;
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @description Unix seconds. */
            readonly updated_at: number;
            /** @description Unix seconds. */
            readonly submit_time: number;
            /** @description Unix seconds. 0: not yet, or never. */
            readonly start_time: number;
            /** @description Unix seconds. 0: not yet, or never. */
            readonly finish_time: number;
            readonly username: string;
            readonly channel_id: number;
            readonly channel_name: string;
            /** @description The task it goes on from. Empty: none. */
            readonly origin_task_id: string;
            /** @description Unix seconds. 0: not yet, or never. */
            readonly deadline: number;
            readonly cancellable: boolean;
            /** @description Every state it was in, oldest first. */
            readonly history: readonly components["schemas"]["TaskStep"][];
            /** @description How charge and cost came about, as `other` of a row of the log. */
            readonly arithmetic: {
                readonly charged: Record<string, unknown> | null;
                readonly cost: Record<string, unknown> | null;
            };
            /** @description 0: none, as of the Playground. */
            readonly token_id: number;
            readonly key_id: number;
            readonly upstream_model: string;
            /** @description Empty: the upstream has not accepted it. */
            readonly upstream_id: string;
            /** @description Whether its channel and a key of it are still there. */
            readonly reachable: boolean;
            /** @description Unix seconds. 0: not yet, or never. */
            readonly next_poll: number;
            readonly poll_failures: number;
            /** @description Results that are stored, or were to be. Of others there is no row. */
            readonly stored: readonly components["schemas"]["StoredFile"][];
        };
        readonly AppliedModels: {
            readonly id: number;
            /** @description All models of the channel, as they are now. */
            readonly models: readonly string[];
            readonly added: readonly string[];
            readonly removed: readonly string[];
        };
        readonly AppliedUpdates: {
            /** @description Channels that were changed. */
            readonly channels: number;
            /** @description Models, of all channels. */
            readonly added: number;
            /** @description Models, of all channels. */
            readonly removed: number;
            /** @description Channels that would have been left without models; nothing was changed there. */
            readonly refused: readonly number[];
        };
        readonly AuditEntry: {
            readonly id: number;
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @description 0: nobody. */
            readonly actor_id: number;
            readonly actor_name: string;
            /** @description 0: none. 1: user. 10: admin. 100: root. */
            readonly actor_role: number;
            /** @enum {string} */
            readonly via: "session" | "accessToken" | "none";
            readonly ip: string;
            /** @example tokens.create */
            readonly action: string;
            /** @example user 7 */
            readonly object: string;
            /**
             * @description What it was called then. Empty: unknown.
             * @example ada
             */
            readonly object_name: string;
            readonly detail: string;
            /**
             * Format: hex
             * @description Of what it was before. Empty: unknown.
             */
            readonly before_hash: string;
            /**
             * Format: hex
             * @description Of what it was afterwards. Empty: unknown.
             */
            readonly after_hash: string;
            readonly request_id: string;
            /**
             * Format: hex
             * @description Of this entry and of the one before it.
             */
            readonly hash: string;
        };
        readonly AuditVerdict: {
            /** @example 2026-01-31 */
            readonly day: string;
            /** @description Entries that hold. */
            readonly rows: number;
            /** @description Hashes of the day that were kept outside the database and compared. */
            readonly heads: number;
            /**
             * Format: hex
             * @description Hash of the last entry that holds. Empty: there is none.
             */
            readonly head: string;
            readonly intact: boolean;
            /** @description The first entry that does not hold. Absent: all of them do. */
            readonly broken?: {
                readonly id: number;
                /** @enum {string} */
                readonly fault: "link" | "content" | "missing";
            };
        };
        readonly AutoRoute: {
            /** @example auto */
            readonly key: string;
            readonly display_name: string;
            /** @description In the order they are tried. */
            readonly groups: readonly string[];
            /** @description Groups of users that may select it. Empty: everybody. */
            readonly user_groups: readonly string[];
            readonly enabled: boolean;
            /** @description Serves those without a group. */
            readonly is_default: boolean;
            /** @description Smaller ones are listed first. */
            readonly sort_order: number;
            /** @description How many API keys name it. */
            readonly tokens: number;
            /** @description Unix seconds. */
            readonly created_time: number;
            /** @description Unix seconds. */
            readonly updated_time: number;
        };
        readonly AutoTopUp: {
            /** @description Root offers it. */
            readonly offered: boolean;
            readonly enabled: boolean;
            /** @description By which gateway it is paid. Empty: nothing was set yet. */
            readonly gateway: string;
            /** @description The balance below which it is topped up, in quota units. */
            readonly below: number | string;
            /** @description Units of account one payment buys. 0: nothing was set yet. */
            readonly amount: number;
            /** @description Most units a calendar month (UTC) may buy. */
            readonly monthly_cap: number;
            /** @description The greatest limit that can be set. */
            readonly monthly_cap_max: number;
            /** @description Units bought in the month that runs, those under way included. */
            readonly spent: number;
            /**
             * @description `charging`: a payment is under way. `paused`: nothing is charged for now.
             * @enum {string}
             */
            readonly state: "on" | "charging" | "paused" | "off";
            /**
             * @description Why it is paused; of what is off `refused`: the service switched it off after three refusals.
             * @enum {string}
             */
            readonly reason: "" | "not_offered" | "mandate_ended" | "gateway_off" | "wrong_mode" | "wrong_amount" | "cap_reached" | "refused";
            /** @description What the provider said, or what is wrong with the amount. */
            readonly words: string;
            /** @description Unix seconds until which it is paused. 0: not known. */
            readonly until: number;
            /** @description What the caller agreed to, newest first. */
            readonly mandates: readonly components["schemas"]["PaymentMandate"][];
            /** @description Gateways by which it can be agreed to. */
            readonly gateways: readonly {
                /**
                 * @description Name of the gateway.
                 * @example stripe
                 */
                readonly name: string;
                readonly title: string;
                /** @description No real money moves. */
                readonly test: boolean;
            }[];
        };
        readonly BegunSignIn: {
            /** @description The same as `state`. */
            readonly flow_token: string;
            /** @description Goes to the provider and comes back; good for one sign-in. */
            readonly state: string;
            /** @description Unix seconds. */
            readonly expires_at: number;
            /** @description Where the browser goes. Null: the person stays on the page. */
            readonly authorize_url: string | null;
            /**
             * @description The browser goes there, a code is typed, or a widget of theirs is shown.
             * @enum {string}
             */
            readonly style: "redirect" | "code" | "widget";
        };
        readonly BillingDetails: {
            /** @description Empty: receipts are made out to the name of the account. */
            readonly name: string;
            /** @description Several lines. */
            readonly address: string;
            readonly tax_id: string;
            /** @description Receipts are issued. */
            readonly receipts: boolean;
        };
        readonly Breaker: {
            readonly channel_id: number;
            /** @description Empty: the channel is gone. */
            readonly channel_name: string;
            readonly key_id: number;
            /** @description Empty: every model of the key. */
            readonly model: string;
            /** @enum {string} */
            readonly state: "open" | "half-open" | "parked";
            /** @description Failures among the outcomes. */
            readonly failures: number;
            /** @description Outcomes remembered. */
            readonly outcomes: number;
            /** @description Unix seconds from which the next attempt is let through. */
            readonly retry_at: number;
            /** @description The last failure. */
            readonly reason: string;
        };
        readonly CardExample: {
            /** @description False: the card has no price of this task. */
            readonly priced: boolean;
            /** @description What the card has no price of, and what a client would receive. */
            readonly unpriced: {
                readonly dimension: string;
                readonly message: string;
            } | null;
            readonly steps: components["schemas"]["CardSteps"] | null;
            /**
             * @description Quota before it is rounded.
             * @example 0.07
             */
            readonly sum: string;
            /** @description What is charged. */
            readonly quota: number;
            /** @description What is set aside before. */
            readonly hold: number;
        };
        readonly CardSteps: {
            /**
             * @description Decimal text.
             * @example 0.07
             */
            readonly quantity: string;
            /**
             * @description Decimal text.
             * @example 0.07
             */
            readonly minimum: string | null;
            /**
             * @description Decimal text.
             * @example 0.07
             */
            readonly after_minimum: string;
            /**
             * @description Decimal text.
             * @example 0.07
             */
            readonly step: string | null;
            /**
             * @description Units billed.
             * @example 0.07
             */
            readonly units: string;
            /** @description The row of the card, from 1. */
            readonly rate: number;
            /**
             * @description US dollars per unit.
             * @example 0.07
             */
            readonly price: string;
            /**
             * @description Decimal text.
             * @example 0.07
             */
            readonly group_ratio: string;
        };
        readonly CatalogueDetail: {
            readonly model_name: string;
            readonly description: string;
            readonly icon: string;
            /** @description With commas between them. */
            readonly tags: string;
            /** @description 0: none. */
            readonly vendor_id: number;
            /**
             * @description 0: by tokens. 1: a fixed price per call, or a rate card.
             * @enum {number}
             */
            readonly quota_type: 0 | 1;
            /**
             * @description 1 is two US dollars per million tokens.
             * @example 1.25
             */
            readonly model_ratio: number;
            /** @description US dollars per call. With a rate card: the least a task costs. */
            readonly model_price: number;
            /** @description What a media task costs. */
            readonly rate_card?: {
                /** @description What is counted: second, piece, task, or another. */
                readonly unit: string;
                /**
                 * @description Decimal text.
                 * @example 0.07
                 */
                readonly price?: string;
                /** @description The first that fits is the price; * is any value. */
                readonly rates?: readonly {
                    readonly when: {
                        readonly [key: string]: string;
                    };
                    /**
                     * @description Decimal text.
                     * @example 0.07
                     */
                    readonly price: string;
                }[];
                /**
                 * @description Decimal text.
                 * @example 0.07
                 */
                readonly minimum?: string;
                /**
                 * @description Decimal text.
                 * @example 0.07
                 */
                readonly step?: string;
            };
            /** @description Name of the vendor. */
            readonly owner_by: string;
            readonly completion_ratio: number;
            readonly cache_ratio?: number;
            readonly create_cache_ratio?: number;
            readonly image_ratio?: number;
            readonly audio_ratio?: number;
            readonly audio_completion_ratio?: number;
            /** @description Groups of the caller that serve it. */
            readonly enable_groups: readonly string[];
            readonly supported_endpoint_types: readonly string[];
            /** @description Who makes it. Empty: unknown. */
            readonly vendor: string;
            /** @description Id of the vendor in the table of known models. Empty: none. */
            readonly vendor_mark: string;
            /** @enum {unknown} */
            readonly kind: "chat" | "completion" | "embedding" | "rerank" | "image" | "speech" | "transcription" | "video" | "music" | "realtime" | "moderation" | "ocr" | null;
            /** @description Tokens. Null: unknown. */
            readonly context_length: number | null;
            /** @description Tokens. Null: unknown. */
            readonly max_output: number | null;
            /** @description Null: unknown. */
            readonly input_modalities: readonly ("text" | "image" | "audio" | "video" | "embedding" | "score")[] | null;
            /** @description Null: unknown. */
            readonly output_modalities: readonly ("text" | "image" | "audio" | "video" | "embedding" | "score")[] | null;
            /** @description True: it has it. False: it has not. Left out: unknown. */
            readonly capabilities: {
                readonly tools?: boolean;
                readonly structured_output?: boolean;
                readonly reasoning?: boolean;
                readonly prompt_cache?: boolean;
            } | null;
            /** @description Null: nothing was timed. */
            readonly tokens_per_second: number | null;
            /** @description Of streams, half began sooner. Null: there were none. */
            readonly first_token_ms: number | null;
            /** @description Share of requests that succeeded. Null: unknown. */
            readonly availability: number | null;
            /** @description Facts that the operator set; the others are of the source. */
            readonly set_by_operator: readonly string[];
            /** @description Document of the vendor. Empty: the model is not known. */
            readonly source: string;
            /** @description As of when the document says so: YYYY-MM-DD. */
            readonly source_date: string;
            /** @description The last 24, the oldest first. Empty: nobody called it. */
            readonly hours: readonly {
                /** @description Beginning of the hour, Unix seconds. */
                readonly at: number;
                readonly availability: number | null;
            }[];
        };
        readonly CatalogueModel: {
            readonly model_name: string;
            readonly description: string;
            readonly icon: string;
            /** @description With commas between them. */
            readonly tags: string;
            /** @description 0: none. */
            readonly vendor_id: number;
            /**
             * @description 0: by tokens. 1: a fixed price per call, or a rate card.
             * @enum {number}
             */
            readonly quota_type: 0 | 1;
            /**
             * @description 1 is two US dollars per million tokens.
             * @example 1.25
             */
            readonly model_ratio: number;
            /** @description US dollars per call. With a rate card: the least a task costs. */
            readonly model_price: number;
            /** @description What a media task costs. */
            readonly rate_card?: {
                /** @description What is counted: second, piece, task, or another. */
                readonly unit: string;
                /**
                 * @description Decimal text.
                 * @example 0.07
                 */
                readonly price?: string;
                /** @description The first that fits is the price; * is any value. */
                readonly rates?: readonly {
                    readonly when: {
                        readonly [key: string]: string;
                    };
                    /**
                     * @description Decimal text.
                     * @example 0.07
                     */
                    readonly price: string;
                }[];
                /**
                 * @description Decimal text.
                 * @example 0.07
                 */
                readonly minimum?: string;
                /**
                 * @description Decimal text.
                 * @example 0.07
                 */
                readonly step?: string;
            };
            /** @description Name of the vendor. */
            readonly owner_by: string;
            readonly completion_ratio: number;
            readonly cache_ratio?: number;
            readonly create_cache_ratio?: number;
            readonly image_ratio?: number;
            readonly audio_ratio?: number;
            readonly audio_completion_ratio?: number;
            /** @description Groups of the caller that serve it. */
            readonly enable_groups: readonly string[];
            readonly supported_endpoint_types: readonly string[];
            /** @description Who makes it. Empty: unknown. */
            readonly vendor: string;
            /** @description Id of the vendor in the table of known models. Empty: none. */
            readonly vendor_mark: string;
            /** @enum {unknown} */
            readonly kind: "chat" | "completion" | "embedding" | "rerank" | "image" | "speech" | "transcription" | "video" | "music" | "realtime" | "moderation" | "ocr" | null;
            /** @description Tokens. Null: unknown. */
            readonly context_length: number | null;
            /** @description Tokens. Null: unknown. */
            readonly max_output: number | null;
            /** @description Null: unknown. */
            readonly input_modalities: readonly ("text" | "image" | "audio" | "video" | "embedding" | "score")[] | null;
            /** @description Null: unknown. */
            readonly output_modalities: readonly ("text" | "image" | "audio" | "video" | "embedding" | "score")[] | null;
            /** @description True: it has it. False: it has not. Left out: unknown. */
            readonly capabilities: {
                readonly tools?: boolean;
                readonly structured_output?: boolean;
                readonly reasoning?: boolean;
                readonly prompt_cache?: boolean;
            } | null;
        };
        readonly Channel: {
            readonly id: number;
            /** @description Number of a type of channels. */
            readonly type: number;
            /** @description Always empty. */
            readonly key: string;
            /** @description The region, the version or the like of types that have one. */
            readonly other: string;
            readonly openai_organization: string;
            /** @description Used by tests. Empty: one of its models. */
            readonly test_model: string;
            /**
             * @description 1: on. 2: switched off by hand. 3: switched off by the gateway.
             * @enum {number}
             */
            readonly status: 1 | 2 | 3;
            /** @example Anthropic, main account */
            readonly name: string;
            /** @description Share of the requests among channels of one priority. */
            readonly weight: number;
            /** @description Unix seconds. */
            readonly created_time: number;
            /** @description Of the last test, Unix seconds. 0: never. */
            readonly test_time: number;
            /** @description Of the last test, milliseconds. 0: none. */
            readonly response_time: number;
            /** @description Empty: that of the type. */
            readonly base_url: string;
            /**
             * @description US dollars.
             * @example 12.5
             */
            readonly balance: number;
            /** @description Unix seconds. 0: never. */
            readonly balance_updated_time: number;
            /**
             * @description Names with commas between them.
             * @example gpt-4o,gpt-4o-mini
             */
            readonly models: string;
            /**
             * @description Names with commas between them.
             * @example default
             */
            readonly group: string;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly used_quota: number | string;
            /** @description JSON text. Empty: an empty object. */
            readonly model_mapping: string;
            /** @description JSON text. Empty: an empty object. */
            readonly status_code_mapping: string;
            /** @description The highest is tried first. */
            readonly priority: number;
            /**
             * @description 1: the gateway may switch it off.
             * @enum {number}
             */
            readonly auto_ban: 0 | 1;
            /** @description JSON text: `status_reason` and `status_time` of who switched it. Empty: nobody did. */
            readonly other_info: string;
            readonly tag: string;
            /** @description JSON text. Empty: an empty object. */
            readonly setting: string;
            /** @description JSON text. Empty: an empty object. */
            readonly param_override: string;
            /** @description JSON text. Empty: an empty object. */
            readonly header_override: string;
            readonly remark: string;
            readonly channel_info: components["schemas"]["ChannelKeyFacts"];
            /** @description JSON text: what its upstream charges, as a `factor` of the list price or by `models`. Empty: it is not known. */
            readonly cost_terms: string;
            /** @description JSON text: fields of the type. Secrets stand empty in it. Empty: an empty object. */
            readonly settings: string;
            /** @description No plugin serves its type, or the one that does has failed: it is not called. */
            readonly plugin_missing: boolean;
        };
        readonly ChannelHealth: {
            readonly channel_id: number;
            /** @description Milliseconds to the first content of the last responses, oldest first. */
            readonly latencies: readonly number[];
            readonly open: number;
            readonly half_open: number;
            readonly parked: number;
            /** @description Unix seconds from which the first of them is tried again. 0: none is open. */
            readonly retry_at: number;
            /** @description Why that one is open. */
            readonly reason: string;
            /** @description What the provider finds wrong with the stored settings. Empty: nothing. */
            readonly fault: string;
            /** @description What was last known, by any process and before any restart; a minute old at most. Null: nothing. */
            readonly last_known: {
                /** @description Unix seconds. */
                readonly at: number;
                readonly well: boolean;
                /** @description Milliseconds of the last success. 0: there was none. */
                readonly latency: number;
                /** @description Why it failed. Empty: it did not. */
                readonly reason: string;
            } | null;
        };
        readonly ChannelKey: {
            readonly id: number;
            /** @description Place among the keys of the channel, counted from 0; it changes where a key before it is deleted. */
            readonly index: number;
            /**
             * @description 1: on. 2: switched off by hand. 3: switched off by the gateway.
             * @enum {number}
             */
            readonly status: 1 | 2 | 3;
            /** @description Unix seconds. 0: it is on. */
            readonly disabled_time: number;
            /** @description Why it is switched off. */
            readonly reason: string;
            /**
             * @description Its beginning and, of 24 characters or more, its last four. Empty: it cannot be read.
             * @example sk-proj-ab...9xQ2
             */
            readonly key_preview: string;
        };
        readonly ChannelKeyFacts: {
            readonly is_multi_key: boolean;
            /** @description Keys of a channel that has several; otherwise 0. */
            readonly multi_key_size: number;
            /** @description By place, counted from 0, of the keys that are switched off. 2: by hand. 3: by the gateway. */
            readonly multi_key_status_list: {
                readonly [key: string]: 2 | 3;
            };
            /** @description By place. */
            readonly multi_key_disabled_reason: {
                readonly [key: string]: string;
            };
            /** @description By place, Unix seconds. */
            readonly multi_key_disabled_time: {
                readonly [key: string]: number;
            };
            /**
             * @description Each process has its own place; here it is always 0.
             * @enum {number}
             */
            readonly multi_key_polling_index: 0;
            /**
             * @description The order keys are used in. Empty: the channel has one key, or none.
             * @enum {string}
             */
            readonly multi_key_mode: "" | "random" | "polling";
        };
        readonly ChannelKeyPage: {
            readonly keys: readonly components["schemas"]["ChannelKey"][];
            /** @description Keys of the status that was requested. */
            readonly total: number;
            readonly page: number;
            readonly page_size: number;
            readonly total_pages: number;
            readonly enabled_count: number;
            readonly manual_disabled_count: number;
            readonly auto_disabled_count: number;
        };
        readonly ChannelModels: {
            /** @description Rows of the log that were counted, at most the newest 5,000. */
            readonly rows: number;
            /** @description The most used first. */
            readonly models: readonly components["schemas"]["ModelUse"][];
        };
        readonly ChannelPage: {
            readonly page: number;
            readonly page_size: number;
            readonly total: number;
            readonly items: readonly components["schemas"]["Channel"][];
            /** @description Channels by type and `all`, of those found, whatever type was requested. */
            readonly type_counts: {
                readonly [key: string]: number;
            };
            /** @description Channels found of each tag of a page over tags, some of which may not be listed. */
            readonly tag_counts: {
                readonly [key: string]: number;
            };
        };
        readonly ChannelTest: {
            /** @description Empty: there was none to test with. */
            readonly model: string;
            /** @description What was called. Empty: nothing was. */
            readonly endpoint_type: string;
            /** @description Until the whole response was there. */
            readonly response_ms: number;
            /** @description Until its first content. Null: there is none. */
            readonly first_ms: number | null;
            readonly usage: components["schemas"]["Usage"] | null;
            /** @description Of the failure. Empty: there is none. */
            readonly code: string;
            /** @description What a client would have received. */
            readonly status: number;
        };
        readonly ChannelTestReport: {
            /** @description The channel responded as it should. */
            readonly success: boolean;
            /** @description What is wrong. Empty: nothing. */
            readonly message: string;
            readonly data: components["schemas"]["ChannelTest"];
            /** @description Until the whole response was there, seconds. */
            readonly time: number;
        };
        readonly ChannelType: {
            /** @description The number channels of this type are stored under. */
            readonly id: number;
            /** @example acme/chat */
            readonly key: string;
            /**
             * @description Unique within its plugin.
             * @example chat
             */
            readonly name: string;
            readonly title: string;
            /** @description Used where a channel names none. Empty: every channel must name its own. */
            readonly baseUrl: string;
            /**
             * @description `whole`: a channel names the very address of its calls. Absent: an origin.
             * @enum {string}
             */
            readonly address?: "origin" | "whole";
        };
        readonly Checkout: {
            /** @enum {string} */
            readonly kind: "redirect" | "form" | "qr" | "offline";
            /** @description `redirect` and `form`: where the browser goes. */
            readonly url?: string;
            /** @description `form`: what the browser posts there. */
            readonly fields?: {
                readonly [key: string]: string;
            };
            /** @description `qr`: what the code to be scanned holds. */
            readonly text?: string;
            /** @description `offline`: what the payer is to do, as Markdown. */
            readonly instructions?: string;
        };
        readonly CostDay: {
            /**
             * @description UTC, YYYY-MM-DD.
             * @example 2026-01-31
             */
            readonly day: string;
            /** @description As the upstream was asked for it. */
            readonly model: string;
            /** @description Billionths of a US dollar, exact. */
            readonly cost: number | string;
        };
        readonly CreatedAccessToken: {
            readonly id: number;
            /** @example backup script */
            readonly name: string;
            readonly scopes: readonly ("all" | "read" | "account:read" | "account:write" | "tokens:read" | "tokens:write" | "channels:read" | "channels:write" | "models:read" | "models:write" | "users:read" | "users:write" | "money:read" | "money:write" | "logs:read" | "logs:write" | "options:read" | "options:write" | "system:read" | "system:write")[];
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @description Unix seconds. */
            readonly expires_at: number;
            /** @description Unix seconds. 0: never. */
            readonly last_used_at: number;
            /** @description Empty: never used, or not known. */
            readonly last_used_address: string;
            readonly expired: boolean;
            /** @description Quota it may credit and debit a day, together. 0: none. */
            readonly daily_credit: number | string;
            /** @description Shown this once. */
            readonly token: string;
        };
        readonly CustomSignInProvider: {
            readonly id: number;
            /**
             * @description Stands in its paths; never changes.
             * @example acme
             */
            readonly slug: string;
            readonly name: string;
            readonly icon: string;
            readonly enabled: boolean;
            readonly client_id?: string;
            /**
             * @description Never shown.
             * @enum {string}
             */
            readonly client_secret: "";
            readonly has_client_secret: boolean;
            readonly authorization_endpoint?: string;
            readonly token_endpoint?: string;
            readonly user_info_endpoint?: string;
            readonly scopes: string;
            readonly user_id_field: string;
            readonly username_field: string;
            readonly display_name_field: string;
            readonly email_field: string;
            /** @enum {string} */
            readonly auth_style: "header" | "body";
            /** @description Every rule must hold. None: everybody. */
            readonly access_policy: readonly {
                /**
                 * @description Path into the claims.
                 * @example realm.roles
                 */
                readonly field: string;
                /** @enum {string} */
                readonly operator: "eq" | "in" | "contains";
                readonly value: string | number | boolean | readonly (string | number | boolean)[];
            }[];
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @description Unix seconds. */
            readonly updated_at: number;
        };
        readonly DiscoveredProvider: {
            /** @description Address of the document that was read. */
            readonly well_known: string;
            readonly issuer: string;
            readonly authorization_endpoint: string;
            readonly token_endpoint: string;
            readonly user_info_endpoint: string;
            readonly scopes_supported: readonly string[];
        };
        readonly EditedChannels: {
            readonly changed: number;
            readonly refused_count: number;
            /** @description Those that stay as they were, the first 100 of them. */
            readonly refused: readonly {
                readonly id: number;
                /** @description Empty: it is gone. */
                readonly name: string;
                readonly reason: string;
            }[];
        };
        readonly EditedUsers: {
            readonly changed: number;
            readonly refused_count: number;
            /** @description Those that stay as they were, the first 100 of them. */
            readonly refused: readonly {
                readonly id: number;
                /** @description Empty: there is none. */
                readonly name: string;
                readonly reason: string;
            }[];
        };
        readonly FactorStats: {
            readonly total_users: number;
            /** @description With an authenticator. */
            readonly enabled_users: number;
            /** @description Percent of all users, to a tenth. */
            readonly enabled_rate: number;
            readonly passkey_users: number;
        };
        readonly Group: {
            /** @example default */
            readonly name: string;
            /**
             * @description Factor over every price.
             * @example 1.5
             */
            readonly ratio: number;
            /** @description Everybody may use it. */
            readonly usable: boolean;
            /** @description Shown to those who may use it. */
            readonly desc: string;
            /** @description By group of the caller: ratios that take precedence over that of this group. */
            readonly special_ratios: {
                readonly [key: string]: number;
            };
            /** @description Groups its users may use besides those everybody may. */
            readonly also_usable: readonly string[];
            /** @description Groups its users may not use. */
            readonly not_usable: readonly string[];
            readonly channels: number;
            readonly users: number;
            /** @description How many auto routes name it. */
            readonly auto_routes: number;
        };
        readonly Instance: {
            readonly node_name: string;
            /** @enum {string} */
            readonly status: "online" | "stale";
            readonly stale_after_seconds: number;
            /** @description Unix seconds. */
            readonly started_at: number;
            /** @description Unix seconds. */
            readonly last_seen_at: number;
            /** @description Since it was last seen, by the clock of the process that responds. */
            readonly age_seconds: number;
            /** @description What the process reports of itself. */
            readonly info: Record<string, unknown>;
        };
        readonly KeptTaskResult: {
            readonly index: number;
            /** @description Unix seconds. 0: as long as the task is there. */
            readonly until: number;
        };
        readonly KeyRecording: {
            /** @enum {string} */
            readonly level: "" | "headers" | "bodies";
            /** @description 0: nothing is recorded. */
            readonly until: number;
        };
        readonly KnownModel: {
            readonly id: string;
            /** @enum {string} */
            readonly object: "model";
        };
        readonly LedgerCheck: {
            /** @description Unix seconds. */
            readonly at: number;
            /** @description How long it took, milliseconds. */
            readonly ms: number;
            /**
             * @description `new`: what had been verified before was not verified again.
             * @enum {string}
             */
            readonly scope: "whole" | "new";
            /** @description Requests that were verified. */
            readonly verified: number;
            /** @description Of all invariants, as far as they are listed. */
            readonly breaches: number;
            readonly invariants: readonly components["schemas"]["LedgerInvariant"][];
        };
        readonly LedgerEntry: {
            readonly id: number;
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @example charge */
            readonly kind: string;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly amount: number | string;
            readonly debit: components["schemas"]["LedgerEntrySide"];
            readonly credit: components["schemas"]["LedgerEntrySide"];
            readonly request_id: string;
            readonly note: string;
        };
        readonly LedgerEntrySide: {
            /** @description Below 0: an account of the gateway. */
            readonly account_id: number;
            /** @description Empty: there is no such account. */
            readonly kind: string;
            /** @description 0: the account is one of the gateway. */
            readonly user_id: number;
            /**
             * @description Of the user, or of an account of the gateway.
             * @example revenue
             */
            readonly name: string;
        };
        readonly LedgerInvariant: {
            readonly id: string;
            readonly name: string;
            /** @description What has to hold, in a sentence. */
            readonly rule: string;
            /** @description Empty: it holds. */
            readonly breaches: readonly string[];
            /** @description There may be more breaches than are listed. */
            readonly has_more: boolean;
        };
        readonly LedgerOverview: {
            /** @description Without those of the gateway. */
            readonly accounts: number;
            /** @description Quota units that can be spent: `posted` less `held`, exact. */
            readonly balance: number | string;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly posted: number | string;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly held: number | string;
            readonly debt: {
                /** @description Accounts below 0. */
                readonly accounts: number;
                /** @description Quota units: a number while it is exact as one, otherwise its digits. */
                readonly quota: number | string;
            };
            readonly open_holds: number;
            readonly oldest_hold: components["schemas"]["OpenHold"] | null;
            /** @description Accounts of the gateway. */
            readonly system_accounts: readonly {
                /** @description Below 0: an account of the gateway. */
                readonly id: number;
                /** @example revenue */
                readonly name: string;
                /** @description Quota units of credits less debits, exact. */
                readonly quota: number | string;
            }[];
            readonly blocked_accounts: number;
            /** @description The first few. */
            readonly blocked: readonly {
                /** @description Below 0: an account of the gateway. */
                readonly account_id: number;
                readonly user_id: number;
                readonly username: string;
            }[];
            readonly check: {
                readonly running: boolean;
                readonly last: components["schemas"]["LedgerCheck"] | null;
                /** @description Why the one after it was not completed. Null: it was, or there was none. */
                readonly failure: {
                    /** @description Unix seconds. */
                    readonly at: number;
                    readonly reason: string;
                } | null;
                /** @description When the whole book was last found sound, Unix seconds. 0: never. */
                readonly whole_at: number;
            };
        };
        readonly LineStage: {
            /** @example auth */
            readonly stage: string;
            /** @description Guards before it. */
            readonly before: readonly string[];
            /** @description Guards after it. */
            readonly after: readonly string[];
        };
        readonly LogRow: {
            /** @description Of this row alone: a request may have several. The newer of two is not always the larger. */
            readonly id: number | string;
            readonly user_id: number;
            /** @description Unix seconds. */
            readonly created_at: number;
            /**
             * @description 1: top-up. 2: charge. 3: management. 4: system. 5: error. 6: refund.
             * @enum {number}
             */
            readonly type: 1 | 2 | 3 | 4 | 5 | 6;
            readonly content: string;
            readonly username: string;
            /** @description 0: none. */
            readonly token_id: number;
            readonly token_name: string;
            readonly model_name: string;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly quota: number | string;
            readonly prompt_tokens: number;
            readonly completion_tokens: number;
            /** @description Seconds, rounded up. */
            readonly use_time: number;
            readonly is_stream: boolean;
            /** @description 0: none, or not shown to the owner of the request. */
            readonly channel: number;
            readonly channel_name: string;
            readonly group: string;
            readonly ip: string;
            readonly request_id: string;
            /** @description JSON text: inputs of the price and further facts. */
            readonly other: string;
        };
        readonly LogSums: {
            /** @description Quota units of charges less refunds, exact. */
            readonly quota: number | string;
            /** @description Charges of the last minute. */
            readonly rpm: number;
            /** @description Tokens of the last minute. */
            readonly tpm: number;
        };
        readonly MarginDay: {
            /** @description Beginning of the day (UTC), Unix seconds. */
            readonly at: number;
            /** @description Requests that were charged, at nothing as well. */
            readonly requests: number | string;
            /** @description Quota units of charges less refunds, exact. */
            readonly quota: number | string;
            /** @description Of `quota`, what was earned where the cost is known. */
            readonly known_quota: number | string;
            /** @description Billionths of a US dollar, exact: of all calls whose cost is known. */
            readonly cost: number | string;
            /** @description Billionths of a US dollar: what was earned where the cost is known, less the cost. May be below 0. */
            readonly margin: number | string;
        };
        readonly MarginOverview: {
            /** @description Counted up to this moment, Unix seconds. 0: nothing is, yet. */
            readonly as_of: number;
            readonly totals: components["schemas"]["MarginSums"];
            readonly before: components["schemas"]["MarginSums"];
            /** @description The oldest first; without what had no usage. */
            readonly series: readonly components["schemas"]["MarginDay"][];
        };
        readonly MarginRanking: {
            readonly items: readonly components["schemas"]["RankedMargin"][];
            readonly others: components["schemas"]["MarginSums"];
        };
        readonly MarginSums: {
            /** @description Requests that were charged, at nothing as well. */
            readonly requests: number | string;
            /** @description Quota units of charges less refunds, exact. */
            readonly quota: number | string;
            /** @description Of `quota`, what was earned where the cost is known. */
            readonly known_quota: number | string;
            /** @description Billionths of a US dollar, exact: of all calls whose cost is known. */
            readonly cost: number | string;
            /** @description Billionths of a US dollar: what was earned where the cost is known, less the cost. May be below 0. */
            readonly margin: number | string;
        };
        readonly MediaModel: {
            readonly model: string;
            /** @enum {string} */
            readonly operation: "video" | "music" | "midjourney" | "images";
            /** @description Place of its form in `forms`, from 0. */
            readonly form: number;
        };
        readonly MediaModels: {
            readonly models: readonly components["schemas"]["MediaModel"][];
            /** @description Fields of requests; models of one kind share a form. */
            readonly forms: readonly (readonly components["schemas"]["RequestField"][])[];
            /** @description Of the form at the same place: its titles and helps in other languages. */
            readonly translations: readonly {
                readonly [key: string]: {
                    readonly [key: string]: string;
                };
            }[];
        };
        readonly MediaQuote: {
            /** @description Quota units. Null: it is known only when the answer is there. */
            readonly quota: number | null;
            /** @description What would be made, by unit. */
            readonly counts: {
                readonly [key: string]: number;
            };
            /** @description What the price depends on beside. */
            readonly dimensions: {
                readonly [key: string]: string;
            };
        };
        readonly ModelEntry: {
            readonly id: number;
            /** @example claude- */
            readonly model_name: string;
            /**
             * @description What is compared. 0: the whole name. 1: its beginning. 2: any part. 3: its end.
             * @enum {number}
             */
            readonly name_rule: 0 | 1 | 2 | 3;
            readonly description: string;
            readonly icon: string;
            /** @description With commas between them. */
            readonly tags: string;
            /** @description 0: none. */
            readonly vendor_id: number;
            readonly vendor_name: string;
            /** @description JSON text: a list of types, or an object of type and address. Empty: derived from the name. */
            readonly endpoints: string;
            /** @enum {unknown} */
            readonly kind: "chat" | "completion" | "embedding" | "rerank" | "image" | "speech" | "transcription" | "video" | "music" | "realtime" | "moderation" | "ocr" | null;
            /** @description Tokens. Null: unknown. */
            readonly context_length: number | null;
            /** @description Tokens. Null: unknown. */
            readonly max_output: number | null;
            /** @description Null: unknown. */
            readonly input_modalities: readonly ("text" | "image" | "audio" | "video" | "embedding" | "score")[] | null;
            /** @description Null: unknown. */
            readonly output_modalities: readonly ("text" | "image" | "audio" | "video" | "embedding" | "score")[] | null;
            /** @description True: it has it. False: it has not. Left out: unknown. */
            readonly capabilities: {
                readonly tools?: boolean;
                readonly structured_output?: boolean;
                readonly reasoning?: boolean;
                readonly prompt_cache?: boolean;
            } | null;
            readonly known: components["schemas"]["TableModel"] | null;
            /**
             * @description 1: on. 0 and 2: off.
             * @enum {number}
             */
            readonly status: 0 | 1 | 2;
            /** @enum {number} */
            readonly sync_official: 0 | 1;
            /** @description Unix seconds. */
            readonly created_time: number;
            /** @description Unix seconds. */
            readonly updated_time: number;
            /** @description The first channels that serve it. */
            readonly bound_channels: readonly {
                readonly id: number;
                readonly name: string;
                readonly type: number;
            }[];
            /** @description How many channels serve it. */
            readonly bound_count: number;
            /** @description Groups it is served in. */
            readonly enable_groups: readonly string[];
            /** @description 0: charged by tokens. 1: by call. */
            readonly quota_types: readonly (0 | 1)[];
            /** @description Names that channels serve and the entry describes. */
            readonly matched_models: readonly string[];
            readonly matched_count: number;
        };
        readonly ModelPage: {
            readonly page: number;
            readonly page_size: number;
            readonly total: number;
            readonly items: readonly components["schemas"]["ModelEntry"][];
            /** @description Entries by id of the vendor; `0`: those without one, and `all`. */
            readonly vendor_counts: {
                readonly [key: string]: number;
            };
        };
        readonly ModelSpeed: {
            readonly model_name: string;
            /** @description Null: nothing was timed. */
            readonly tokens_per_second: number | null;
            /** @description Of streams, half began sooner. Null: there were none. */
            readonly first_token_ms: number | null;
            /** @description Share of requests that succeeded. Null: unknown. */
            readonly availability: number | null;
        };
        readonly ModelUse: {
            readonly model: string;
            readonly requests: number;
            readonly errors: number;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly quota: number | string;
            /** @description A number while it is exact as one, otherwise its digits. */
            readonly tokens: number | string;
        };
        readonly MovedBalances: {
            readonly changed: number;
            readonly refused_count: number;
            /** @description Those that stay as they were, the first 100 of them. */
            readonly refused: readonly {
                readonly id: number;
                /** @description Empty: there is none. */
                readonly name: string;
                readonly reason: string;
            }[];
            /** @description What this request posted in all, in quota units; what an earlier one with the same key posted is not in it. */
            readonly moved: number | string;
        };
        readonly NotificationWay: {
            /**
             * @description As `notify_type` names it.
             * @example email
             */
            readonly name: string;
            readonly title: string;
            /** @description The operator has set up what it needs. */
            readonly ready: boolean;
            readonly fields: readonly components["schemas"]["SettingField"][];
            /**
             * @description By language, then by the English text or the name it stands for.
             * @example {
             *       "zh": {
             *         "Seconds": "秒数"
             *       }
             *     }
             */
            readonly translations?: {
                readonly [key: string]: {
                    readonly [key: string]: string;
                };
            };
        };
        readonly OfferedPlan: {
            readonly id: number;
            readonly title: string;
            readonly subtitle: string;
            /** @enum {string} */
            readonly duration_unit: "hour" | "day" | "week" | "month" | "year" | "custom";
            readonly duration_value: number;
            readonly custom_seconds: number;
            /** @description Quota of each period. 0: without bound. */
            readonly total_amount: number | string;
            /** @enum {string} */
            readonly quota_reset_period: "never" | "daily" | "weekly" | "monthly" | "custom";
            readonly quota_reset_custom_seconds: number;
            /** @description How much may be used within each hour, day, week or month. */
            readonly caps: readonly {
                /** @enum {string} */
                readonly period: "hour" | "day" | "week" | "month" | "custom";
                readonly custom_seconds: number;
                /** @description Quota units: a number while it is exact as one, otherwise its digits. */
                readonly amount: number | string;
            }[];
            /** @description Models it pays for. Empty: all. */
            readonly models: readonly string[];
            /** @description Groups it pays for. Empty: all. */
            readonly groups: readonly string[];
            readonly allow_wallet_overflow: boolean;
            readonly upgrade_group: string;
            readonly downgrade_group: string;
            /**
             * @description Price of one duration.
             * @example 30.00
             */
            readonly price_amount: string;
            /** @example USD */
            readonly currency: string;
            /** @description In other currencies. */
            readonly prices: {
                readonly [key: string]: string;
            };
            readonly enabled: boolean;
            readonly sort_order: number;
            readonly allow_balance_pay: boolean;
            /** @description Price from the balance. */
            readonly balance_price: number | string;
            readonly stripe_price_id: string;
            readonly creem_product_id: string;
            /** @description 0: as often as they like. */
            readonly max_purchase_per_user: number;
            /** @description 0: it cannot be tried. */
            readonly trial_days: number;
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @description Gateways it can be paid by. */
            readonly offers: readonly components["schemas"]["PlanOffer"][];
            /** @description How often the caller may buy it yet. -1: without bound. */
            readonly purchases_left: number;
            /** @description The caller may try it. */
            readonly trial_available: boolean;
        };
        readonly OpenHold: {
            readonly request_id: string;
            readonly kind: string;
            /**
             * @description `orphaned`: its process is gone; the next sweep closes it.
             * @enum {string}
             */
            readonly state: "reserved" | "orphaned";
            readonly user_id: number;
            readonly username: string;
            /** @description 0: none. */
            readonly token_id: number;
            readonly token_name: string;
            readonly model: string;
            readonly group: string;
            /** @description 0: none. */
            readonly channel: number;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly held: number | string;
            /** @description Quota units last noted while the reply was under way, exact. */
            readonly used: number | string;
            /** @description The process that owns it. */
            readonly instance: string;
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @description By the clock of the database. */
            readonly age_seconds: number;
        };
        readonly Option: {
            /** @enum {string} */
            readonly type: "string" | "secret" | "number" | "boolean" | "select" | "json" | "list";
            readonly title: string;
            readonly help?: string;
            /** @description Any JSON. */
            readonly default?: unknown;
            /** @description `select`: what it may be. */
            readonly options?: readonly string[];
            readonly min?: number;
            readonly max?: number;
            readonly integer?: boolean;
            /** @example QuotaForNewUser */
            readonly key: string;
            /** @description Id of the plugin that declares it. */
            readonly plugin: string;
            /** @description Size of the longest text, bytes. */
            readonly max_bytes?: number;
            /** @description It has an effect only while another option has this value. */
            readonly when?: {
                /** @example QuotaForNewUser */
                readonly key: string;
                /** @description Any JSON. */
                readonly is: unknown;
            };
            /** @description As text. Empty for a secret. */
            readonly value: string;
            /** @description A value is stored and it is not empty: all that is shown of a secret. */
            readonly is_set: boolean;
        };
        readonly OptionValue: {
            /** @example QuotaForNewUser */
            readonly key: string;
            /** @description As text. Empty for a secret. */
            readonly value: string;
        };
        readonly OutboxNotice: {
            readonly id: number;
            /** @description 0: a mail to an address. */
            readonly user_id: number;
            /** @description Empty: nobody, or somebody who is gone. */
            readonly username: string;
            /** @example quota_exceed */
            readonly type: string;
            /** @enum {string} */
            readonly state: "waiting" | "delivered" | "failed";
            readonly attempts: number;
            /** @description Why it was not delivered so far. */
            readonly reason: string;
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @description Unix seconds of the next attempt; of the last one once it is over. */
            readonly next_at: number;
            /** @description Unix seconds. 0: not over. */
            readonly finished_at: number;
        };
        readonly OwnRecording: {
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @enum {string} */
            readonly level: "headers" | "bodies";
            readonly request: components["schemas"]["RecordedRequest"];
            readonly reply: components["schemas"]["RecordedOwnReply"] | null;
        };
        readonly OwnTask: {
            readonly task_id: string;
            readonly request_id: string;
            readonly user_id: number;
            /** @description Empty until a channel is chosen. */
            readonly platform: string;
            readonly operation: string;
            readonly action: string;
            readonly model: string;
            readonly group: string;
            /** @enum {string} */
            readonly state: "submitting" | "queued" | "running" | "unknown" | "succeeded" | "failed";
            /** @description The state in the words of other gateways of this family. */
            readonly status: string;
            /** @description The upstream's own word. */
            readonly word: string;
            readonly percent: number;
            /** @description The same as text: `40%`. */
            readonly progress: string;
            readonly fail_reason: string;
            /** @description It succeeded after it had failed and was paid back. */
            readonly late_success: boolean;
            /** @description What it cost as far as is known. Quota units. */
            readonly quota: number;
            /** @description Charged when it was accepted. Quota units. */
            readonly charged: number;
            /** @description What it cost in the end. Null: it has not ended. */
            readonly cost: number | null;
            readonly results: readonly components["schemas"]["TaskMade"][];
            /** @description What was requested, media left out. */
            readonly request: Record<string, unknown>;
            /** @description What the upstream reports, in its words. */
            readonly data: Record<string, unknown>;
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @description Unix seconds. */
            readonly updated_at: number;
            /** @description Unix seconds. */
            readonly submit_time: number;
            /** @description Unix seconds. 0: not yet, or never. */
            readonly start_time: number;
            /** @description Unix seconds. 0: not yet, or never. */
            readonly finish_time: number;
        };
        readonly OwnTaskDetails: {
            readonly task_id: string;
            readonly request_id: string;
            readonly user_id: number;
            /** @description Empty until a channel is chosen. */
            readonly platform: string;
            readonly operation: string;
            readonly action: string;
            readonly model: string;
            readonly group: string;
            /** @enum {string} */
            readonly state: "submitting" | "queued" | "running" | "unknown" | "succeeded" | "failed";
            /** @description The state in the words of other gateways of this family. */
            readonly status: string;
            /** @description The upstream's own word. */
            readonly word: string;
            readonly percent: number;
            /** @description The same as text: `40%`. */
            readonly progress: string;
            readonly fail_reason: string;
            /** @description It succeeded after it had failed and was paid back. */
            readonly late_success: boolean;
            /** @description What it cost as far as is known. Quota units. */
            readonly quota: number;
            /** @description Charged when it was accepted. Quota units. */
            readonly charged: number;
            /** @description What it cost in the end. Null: it has not ended. */
            readonly cost: number | null;
            readonly results: readonly components["schemas"]["TaskMade"][];
            /** @description What was requested, media left out. */
            readonly request: Record<string, unknown>;
            /** @description What the upstream reports, in its words. */
            readonly data: Record<string, unknown>;
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @description Unix seconds. */
            readonly updated_at: number;
            /** @description Unix seconds. */
            readonly submit_time: number;
            /** @description Unix seconds. 0: not yet, or never. */
            readonly start_time: number;
            /** @description Unix seconds. 0: not yet, or never. */
            readonly finish_time: number;
            /** @description The task it goes on from. Empty: none. */
            readonly origin_task_id: string;
            /** @description Unix seconds. 0: not yet, or never. */
            readonly deadline: number;
            readonly cancellable: boolean;
            /** @description Every state it was in, oldest first. */
            readonly history: readonly components["schemas"]["TaskStep"][];
            /** @description How charge and cost came about, as `other` of a row of the log. */
            readonly arithmetic: {
                readonly charged: Record<string, unknown> | null;
                readonly cost: Record<string, unknown> | null;
            };
            /** @description Results the gateway stores, and until when. Others are at their upstream. */
            readonly kept: readonly components["schemas"]["KeptTaskResult"][];
        };
        readonly OwnTrace: {
            readonly request_id: string;
            readonly duration_ms: number;
            readonly row: components["schemas"]["LogRow"];
            /** @description Further rows of it, as refunds; oldest first. */
            readonly others: readonly components["schemas"]["LogRow"][];
            /** @description In order. Empty: it was logged before times were kept. */
            readonly stages: readonly components["schemas"]["TraceStage"][];
            /**
             * @description What was recorded of it. Empty: nothing, or it was deleted since.
             * @enum {string}
             */
            readonly recorded: "" | "headers" | "bodies";
        };
        readonly OwnedToken: {
            readonly id: number;
            readonly user_id: number;
            /** @description Whole in the response that creates or replaces it, masked in others. */
            readonly key: string;
            /**
             * @description 1: enabled. 2: disabled. 3: expired. 4: exhausted.
             * @enum {number}
             */
            readonly status: 1 | 2 | 3 | 4;
            readonly name: string;
            /** @description Unix seconds. */
            readonly created_time: number;
            /** @description Unix seconds. */
            readonly accessed_time: number;
            /** @description Unix seconds. -1: never. */
            readonly expired_time: number;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly remain_quota: number | string;
            readonly unlimited_quota: boolean;
            readonly model_limits_enabled: boolean;
            /** @description Names with commas between them. */
            readonly model_limits: string;
            /** @description Addresses and networks, one a line. */
            readonly allow_ips: string;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly used_quota: number | string;
            readonly group: string;
            readonly cross_group_retry: boolean;
            /**
             * @description What is recorded of its requests. Empty: nothing.
             * @enum {string}
             */
            readonly record_level: "" | "headers" | "bodies";
            /** @description 0: nothing is recorded. */
            readonly record_until: number;
            readonly routing: components["schemas"]["RoutingPolicy"];
            /** @description What each period may use. 0: no budget. */
            readonly budget_quota: number | string;
            /**
             * @description In UTC, weeks from Monday. Empty: no budget.
             * @enum {string}
             */
            readonly budget_period: "" | "day" | "week" | "month";
            /** @description Used in the period that runs. */
            readonly budget_used: number | string;
            /** @description Left in it, less what is set aside for requests under way. */
            readonly budget_remaining: number | string;
            /** @description Unix seconds. 0: no budget. */
            readonly budget_resets_at: number;
            /** @description Requests a minute. 0: no limit. */
            readonly rpm_limit: number;
            /** @description Tokens a minute. 0: no limit. */
            readonly tpm_limit: number;
            /** @description The policy is made of `group`; none is stored. */
            readonly routing_legacy: boolean;
            /** @description Of its owner. Empty: deleted. */
            readonly username: string;
        };
        readonly Passkey: {
            readonly id: number;
            readonly name: string;
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @description Unix seconds. Null: never. */
            readonly last_used_at: number | null;
            /** @description It is kept in more than one place. */
            readonly backed_up: boolean;
            /** @enum {string} */
            readonly device_type: "singleDevice" | "multiDevice";
        };
        readonly Passkeys: {
            /** @description There is one. */
            readonly enabled: boolean;
            readonly count: number;
            readonly passkeys: readonly components["schemas"]["Passkey"][];
            /** @description Unix seconds. Null: none was ever used. */
            readonly last_used_at: number | null;
        };
        readonly PaymentEvent: {
            readonly event: string;
            readonly gateway: string;
            /** @enum {string} */
            readonly verdict: "credited" | "already_paid" | "duplicate_payment" | "wrong_gateway" | "wrong_amount" | "wrong_currency" | "wrong_mode" | "unknown_order" | "unclaimed" | "subscription_ended" | "early" | "without_effect" | "noted" | "returned" | "ignored" | "forged";
            /** @description What was reported, without who paid. */
            readonly detail: Record<string, unknown>;
            /** @description Where it came from; empty: the provider was queried, or an admin did it. */
            readonly address: string;
            readonly times: number;
            /** @description Unix seconds. */
            readonly first_at: number;
            /** @description Unix seconds. */
            readonly last_at: number;
        };
        readonly PaymentGateway: {
            /** @example stripe */
            readonly name: string;
            readonly title: string;
            /** @description A data URL. */
            readonly icon?: string;
            /**
             * @description By language, then by the English text or the name it stands for.
             * @example {
             *       "zh": {
             *         "Seconds": "秒数"
             *       }
             *     }
             */
            readonly translations?: {
                readonly [key: string]: {
                    readonly [key: string]: string;
                };
            };
            /**
             * @description ISO 4217.
             * @example USD
             */
            readonly currency: string;
            /** @description Least amount, in units of account. */
            readonly amount_min: number;
            readonly methods: readonly {
                readonly id: string;
                readonly title: string;
                readonly amount_min: number;
            }[];
            /** @description Not empty: these are sold, no amounts. */
            readonly products: readonly {
                readonly id: string;
                readonly title: string;
                /**
                 * @description Decimal, in the currency of the order.
                 * @example 70.00
                 */
                readonly money: string;
                /**
                 * @description ISO 4217.
                 * @example USD
                 */
                readonly currency: string;
                /** @description Quota units: a number while it is exact as one, otherwise its digits. */
                readonly quota: number | string;
            }[];
            /** @description No real money moves. */
            readonly test: boolean;
            /** @description Payers can agree to automatic payments by it. */
            readonly keeps_mandate: boolean;
        };
        readonly PaymentGatewayStatus: {
            /** @example stripe */
            readonly name: string;
            readonly title: string;
            /** @description A data URL. */
            readonly icon?: string;
            /**
             * @description By language, then by the English text or the name it stands for.
             * @example {
             *       "zh": {
             *         "Seconds": "秒数"
             *       }
             *     }
             */
            readonly translations?: {
                readonly [key: string]: {
                    readonly [key: string]: string;
                };
            };
            /**
             * @description `incomplete`: a setting is missing without which it takes no reports.
             * @enum {string}
             */
            readonly state: "on" | "off" | "incomplete";
            /** @description No real money moves. */
            readonly test: boolean;
            /** @description Where its provider is to report to. Empty: it does not report, or `ServerAddress` is not set. */
            readonly callback_address: string;
            /** @description Unix seconds. 0: nothing was ever reported. */
            readonly last_report: number;
            /**
             * @description What came of it.
             * @enum {string}
             */
            readonly last_verdict: "credited" | "already_paid" | "duplicate_payment" | "wrong_gateway" | "wrong_amount" | "wrong_currency" | "wrong_mode" | "unknown_order" | "unclaimed" | "subscription_ended" | "early" | "without_effect" | "noted" | "returned" | "ignored" | "forged" | "";
        };
        readonly PaymentMandate: {
            /**
             * @description Name of the gateway.
             * @example stripe
             */
            readonly gateway: string;
            /** @description Of the gateway. */
            readonly title: string;
            /** @description No real money moves. */
            readonly test: boolean;
            /** @description Its provider has a page to change how it is paid. */
            readonly portal: boolean;
            /** @description Unix seconds. */
            readonly created_time: number;
        };
        readonly PaymentOrder: {
            readonly id: number;
            readonly trade_no: string;
            readonly user_id: number;
            /**
             * @description Name of the gateway.
             * @example stripe
             */
            readonly payment_provider: string;
            /** @description The way to pay that was chosen. */
            readonly payment_method: string;
            /** @description Empty: an amount was bought. */
            readonly product: string;
            /** @description The price in minor units of the currency. */
            readonly amount_minor: number | string;
            /**
             * @description Decimal, in the currency of the order.
             * @example 70.00
             */
            readonly money: string;
            /**
             * @description ISO 4217.
             * @example USD
             */
            readonly currency: string;
            /** @description Credited once it is paid, in quota units. */
            readonly quota: number | string;
            /** @description Taken back for what was refunded or disputed. */
            readonly returned_quota: number | string;
            /** @enum {string} */
            readonly status: "pending" | "success" | "failed" | "expired" | "refunded";
            /** @description Why it failed, or who completed it. */
            readonly reason: string;
            /** @description It was taken while its payer was away. */
            readonly automatic: boolean;
            /** @description No real money moved. */
            readonly test: boolean;
            /** @description Of the plan, as it was called then. Empty: credit was bought. */
            readonly title: string;
            /** @description 0: credit was bought. */
            readonly plan_id: number;
            /** @description What it opened or renewed; before it is paid, what it is to replace. 0: none. */
            readonly subscription_id: number;
            /** @description Its provider collects it again and again. */
            readonly recurring: boolean;
            /** @description Unix seconds. */
            readonly create_time: number;
            /** @description Unix seconds. */
            readonly expire_time: number;
            /** @description Unix seconds. 0: it is not paid. */
            readonly complete_time: number;
        };
        readonly PaymentProbe: {
            /**
             * @description `elsewhere`: something responded that is not this gateway.
             * @enum {string}
             */
            readonly result: "reached" | "elsewhere" | "unreachable";
            /** @description 0: there was no response. */
            readonly status: number;
            readonly milliseconds: number;
            readonly reason: string;
        };
        readonly PaymentTotal: {
            /**
             * @description UTC.
             * @example 2026-01-31
             */
            readonly day: string;
            readonly payment_provider: string;
            /**
             * @description ISO 4217.
             * @example USD
             */
            readonly currency: string;
            /** @description No real money moved. */
            readonly test: boolean;
            readonly orders: number;
            /**
             * @description Decimal, in the currency of the order.
             * @example 70.00
             */
            readonly paid: string;
            /**
             * @description Paid back, in the currency.
             * @example 70.00
             */
            readonly refunded: string;
            /**
             * @description Taken back by banks of payers, in the currency.
             * @example 70.00
             */
            readonly disputed: string;
            /** @description Credited, in quota units. */
            readonly quota: number | string;
            /** @description Taken back for what was refunded or disputed. */
            readonly returned_quota: number | string;
        };
        readonly PictureTask: {
            readonly id: string;
            readonly mj_id: string;
            readonly user_id: number;
            readonly code: number;
            readonly action: string;
            readonly prompt: string;
            readonly prompt_en: string;
            readonly description: string;
            readonly state: string;
            readonly submit_time: number;
            readonly start_time: number;
            readonly finish_time: number;
            readonly image_url: string;
            readonly video_url: string;
            readonly video_urls: string;
            readonly status: string;
            readonly progress: string;
            readonly fail_reason: string;
            /** @description 0: none, or not shown to the owner of the task. */
            readonly channel_id: number;
            /** @description Quota units. */
            readonly quota: number;
            /** @description JSON text. */
            readonly buttons: string;
            /** @description JSON text. */
            readonly properties: string;
        };
        readonly PlanOffer: {
            /** @example stripe */
            readonly gateway: string;
            readonly title: string;
            /** @example USD */
            readonly currency: string;
            /** @example 30.00 */
            readonly price: string;
            /** @description Its provider can collect every duration by itself. */
            readonly recurring: boolean;
            /** @description No real money moves. */
            readonly test: boolean;
        };
        /** @description How it fares in the processes of this address. Absent: nothing to report. */
        readonly PluginHealth: {
            /** @description Calls of its functions, as far as they are counted. */
            readonly calls: number;
            /** @description Calls that threw, took too long, or returned something else than agreed. */
            readonly faults: number;
            /** @description Calls that kept the whole process busy for longer than 50 ms. */
            readonly slowCalls: number;
            readonly lastFault?: {
                /** @description The function, as its contract names it. */
                readonly verb: string;
                /** @description Masked and cut. */
                readonly message: string;
                /** @description Unix milliseconds. */
                readonly at: number;
            };
            /** @description The longest time a call kept the process busy. */
            readonly slowest?: {
                /** @description The function, as its contract names it. */
                readonly verb: string;
                readonly ms: number;
                /** @description Unix milliseconds. */
                readonly at: number;
            };
            /** @description Unix milliseconds until which it is set aside. Absent: it is not. */
            readonly setAsideUntil?: number;
        };
        readonly PluginManifest: {
            /** @example provider.anthropic */
            readonly id: string;
            /** @enum {string} */
            readonly kind: "stage" | "service" | "format" | "operation" | "endpoint" | "management" | "provider" | "guard" | "task" | "payment" | "oauth" | "notifier";
            /** @description Versions of the contract it works with, as a range. */
            readonly engines: {
                readonly waybill: string;
            };
            /** @example 1.0.0 */
            readonly version: string;
            readonly title: string;
            /** @description A data URL. */
            readonly icon?: string;
            readonly entry: string;
            /** @description Services by name. */
            readonly requires: readonly string[];
            /** @description Where it may call. */
            readonly hosts: readonly string[];
            readonly channelTypes: readonly components["schemas"]["ChannelType"][];
            /** @description Channel types of others whose tasks it serves. */
            readonly serves?: readonly (number | string)[];
            /** @description What clients may set in requests of a task type. */
            readonly requestFields?: readonly components["schemas"]["RequestForm"][];
            /** @description Units a rate card may count. */
            readonly units?: readonly string[];
            /** @description Dimensions a rate card may have as columns. */
            readonly dimensions?: readonly string[];
            /**
             * @description By language, then by the English text or the name it stands for.
             * @example {
             *       "zh": {
             *         "Seconds": "秒数"
             *       }
             *     }
             */
            readonly translations?: {
                readonly [key: string]: {
                    readonly [key: string]: string;
                };
            };
            /** @description Its own settings. */
            readonly settings: readonly components["schemas"]["SettingField"][];
            /** @description Fields of each channel it serves. */
            readonly channelSettings: readonly components["schemas"]["SettingField"][];
            /** @description Fields of each copy that admins define. */
            readonly instanceSettings: readonly components["schemas"]["SettingField"][];
            /** @description Fields each user sets for themselves. */
            readonly userSettings: readonly components["schemas"]["SettingField"][];
            readonly oauth?: {
                /** @enum {string} */
                readonly style: "redirect" | "code" | "widget";
                /** @description The setting that switches it on. */
                readonly switch?: string;
                /** @description Settings that anyone may read. */
                readonly facts?: readonly string[];
            };
            readonly payment?: {
                /** @description The setting that switches it on. */
                readonly switch?: string;
                /** @description Methods its callback address takes. */
                readonly callback: readonly ("GET" | "POST")[];
            };
            readonly routes: readonly components["schemas"]["PluginRoute"][];
            /** @description The stage a guard stands at, and on which side. */
            readonly guards?: {
                readonly stage: string;
                /** @enum {string} */
                readonly where: "before" | "after";
            };
        };
        /** @description Absent: it comes with the gateway. */
        readonly PluginOrigin: {
            /**
             * @description As `PLUGINS` names it.
             * @example waybill-plugin-acme
             */
            readonly entry: string;
            /** @description The folder with its manifest. */
            readonly folder: string;
            /** @description The npm package it is part of. */
            readonly package?: {
                readonly name: string;
                readonly version: string;
                readonly license: string;
            };
            /**
             * @description It runs in a thread of its own.
             * @enum {boolean}
             */
            readonly isolated?: true;
        };
        readonly PluginOverview: {
            readonly plugins: readonly components["schemas"]["PluginStatus"][];
            /** @description What is wrong with entries of `PLUGINS` that show no plugin. */
            readonly problems: readonly string[];
            /** @description In the order requests run through it. */
            readonly line: readonly components["schemas"]["LineStage"][];
            readonly channel_types: readonly components["schemas"]["ServedChannelType"][];
        };
        readonly PluginRoute: {
            readonly name: string;
            /** @enum {string} */
            readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** @example /api/plugins */
            readonly path: string;
            /**
             * @description Who may call: a role of at least that rank, an API key, or anyone.
             * @enum {string}
             */
            readonly credential: "none" | "key" | "user" | "admin" | "root";
            /** @description What an access token needs. Absent: `all`. */
            readonly scope?: string;
            /** @enum {string} */
            readonly body: "none" | "json" | "form" | "raw";
            /** @description Size of the largest body. */
            readonly maxBytes?: number;
            /** @enum {string} */
            readonly limiter: "api" | "critical" | "secrets" | "status" | "relay" | "none";
            /** @description The format of errors under this path. */
            readonly format?: string;
            /**
             * @description Open to an admin who has yet to set up a second factor that is required.
             * @enum {boolean}
             */
            readonly beforeFactor?: true;
            readonly summary?: string;
        };
        readonly PluginStatus: {
            readonly manifest: components["schemas"]["PluginManifest"];
            /** @enum {string} */
            readonly state: "discovered" | "checked" | "created" | "ready" | "stopping" | "stopped" | "failed" | "off";
            readonly origin?: components["schemas"]["PluginOrigin"];
            /** @description Why it failed, in one sentence. */
            readonly reason?: string;
            /** @description What its author should look at, in sentences. */
            readonly warnings?: readonly string[];
            readonly health?: components["schemas"]["PluginHealth"];
        };
        readonly PolicyGroups: {
            readonly groups: readonly string[];
            /** @description How many of them a policy may hold. */
            readonly max_count: number;
        };
        readonly PrefillGroup: {
            readonly id: number;
            readonly name: string;
            /** @enum {string} */
            readonly type: "model" | "tag" | "endpoint";
            /** @description Models or tags as a list; endpoints by their name. */
            readonly items: readonly string[] | Record<string, unknown>;
            readonly description: string;
        };
        readonly PriceChange: {
            readonly model: string;
            readonly before: components["schemas"]["PriceRow"] | null;
            readonly after: components["schemas"]["PriceRow"] | null;
        };
        readonly PriceChanges: {
            /** @description False: it is a preview. */
            readonly saved: boolean;
            /** @description Stands for the prices before the change, to be sent back when they are saved. */
            readonly seen: string;
            readonly rows: readonly components["schemas"]["PriceChange"][];
        };
        readonly PriceRow: {
            readonly model: string;
            /**
             * @description `none`: some figures are written, but neither price, rate card nor ratio.
             * @enum {string}
             */
            readonly mode: "price" | "card" | "ratio" | "free" | "none";
            /** @description Null: the figure is not written. */
            readonly model_price: number | null;
            /** @description Null: the figure is not written. */
            readonly model_ratio: number | null;
            /** @description Null: the figure is not written. */
            readonly completion_ratio: number | null;
            /** @description Null: the figure is not written. */
            readonly cache_ratio: number | null;
            /** @description Null: the figure is not written. */
            readonly create_cache_ratio: number | null;
            /** @description Null: the figure is not written. */
            readonly image_ratio: number | null;
            /** @description Null: the figure is not written. */
            readonly audio_ratio: number | null;
            /** @description Null: the figure is not written. */
            readonly audio_completion_ratio: number | null;
            readonly rate_card: components["schemas"]["RateCard"] | null;
            /** @description Some enabled channel serves it. */
            readonly served: boolean;
        };
        readonly PricedModel: {
            readonly model_name: string;
            readonly description: string;
            readonly icon: string;
            /** @description With commas between them. */
            readonly tags: string;
            /** @description 0: none. */
            readonly vendor_id: number;
            /**
             * @description 0: by tokens. 1: a fixed price per call, or a rate card.
             * @enum {number}
             */
            readonly quota_type: 0 | 1;
            /**
             * @description 1 is two US dollars per million tokens.
             * @example 1.25
             */
            readonly model_ratio: number;
            /** @description US dollars per call. With a rate card: the least a task costs. */
            readonly model_price: number;
            /** @description What a media task costs. */
            readonly rate_card?: {
                /** @description What is counted: second, piece, task, or another. */
                readonly unit: string;
                /**
                 * @description Decimal text.
                 * @example 0.07
                 */
                readonly price?: string;
                /** @description The first that fits is the price; * is any value. */
                readonly rates?: readonly {
                    readonly when: {
                        readonly [key: string]: string;
                    };
                    /**
                     * @description Decimal text.
                     * @example 0.07
                     */
                    readonly price: string;
                }[];
                /**
                 * @description Decimal text.
                 * @example 0.07
                 */
                readonly minimum?: string;
                /**
                 * @description Decimal text.
                 * @example 0.07
                 */
                readonly step?: string;
            };
            /** @description Name of the vendor. */
            readonly owner_by: string;
            readonly completion_ratio: number;
            readonly cache_ratio?: number;
            readonly create_cache_ratio?: number;
            readonly image_ratio?: number;
            readonly audio_ratio?: number;
            readonly audio_completion_ratio?: number;
            /** @description Groups of the caller that serve it. */
            readonly enable_groups: readonly string[];
            readonly supported_endpoint_types: readonly string[];
        };
        readonly PricedVendor: {
            readonly id: number;
            readonly name: string;
            readonly description: string;
            readonly icon: string;
        };
        readonly Proof: {
            /** @description Good for one operation, as the header X-Verification-Token. */
            readonly proof_token: string;
            /** @description Unix seconds. */
            readonly expires_at: number;
            /** @enum {string} */
            readonly method: "password" | "2fa" | "passkey" | "session";
            /**
             * @description The operation it is good for.
             * @enum {string}
             */
            readonly scope: "access_token" | "account_delete" | "password_change" | "email_change" | "two_factor" | "passkey_register" | "passkey_delete" | "channel_key" | "balance" | "oauth_unbind";
        };
        readonly RankedMargin: {
            /** @description Of a channel or a user. 0: none. */
            readonly id: number;
            /** @description As it is called now. Empty: none, or deleted. */
            readonly name: string;
            /** @description Requests that were charged, at nothing as well. */
            readonly requests: number | string;
            /** @description Quota units of charges less refunds, exact. */
            readonly quota: number | string;
            /** @description Of `quota`, what was earned where the cost is known. */
            readonly known_quota: number | string;
            /** @description Billionths of a US dollar, exact: of all calls whose cost is known. */
            readonly cost: number | string;
            /** @description Billionths of a US dollar: what was earned where the cost is known, less the cost. May be below 0. */
            readonly margin: number | string;
        };
        readonly RankedUsage: {
            /** @description Of a channel, an API key or a user. 0: none. */
            readonly id: number;
            /** @description As it is called now. Empty: none, or deleted. */
            readonly name: string;
            /** @description Of an API key or user, or of one user asked for. */
            readonly user_id: number;
            readonly username: string;
            /** @description Requests that were charged, at nothing as well. */
            readonly requests: number | string;
            /** @description Requests that failed. */
            readonly errors: number | string;
            /** @description Quota units of charges less refunds, exact. */
            readonly quota: number | string;
            /** @description Those read from and written to caches included. */
            readonly input_tokens: number | string;
            /** @description Of the input, what was read from a cache. */
            readonly cache_read_tokens: number | string;
            /** @description Of the input, what was written to a cache. */
            readonly cache_write_tokens: number | string;
            /** @description A number while it is exact as one, otherwise its digits. */
            readonly output_tokens: number | string;
            /** @description Output tokens by the time it took to generate them. Null: nothing was timed. */
            readonly tokens_per_second: number | null;
            /** @description Of whole requests. Null: nothing was timed. */
            readonly latency: {
                readonly p50: number;
                readonly p95: number;
                readonly p99: number;
            } | null;
            /** @description Of streams. Null: there were none. */
            readonly first_token: {
                readonly p50: number;
                readonly p95: number;
                readonly p99: number;
            } | null;
        };
        readonly RateCard: {
            /** @description What is counted: second, piece, task, or another. */
            readonly unit: string;
            /**
             * @description Decimal text.
             * @example 0.07
             */
            readonly price?: string;
            /** @description The first that fits is the price; * is any value. */
            readonly rates?: readonly {
                readonly when: {
                    readonly [key: string]: string;
                };
                /**
                 * @description Decimal text.
                 * @example 0.07
                 */
                readonly price: string;
            }[];
            /**
             * @description Decimal text.
             * @example 0.07
             */
            readonly minimum?: string;
            /**
             * @description Decimal text.
             * @example 0.07
             */
            readonly step?: string;
        };
        readonly RatioConfig: {
            /** @description By model. */
            readonly model_ratio: {
                readonly [key: string]: number;
            };
            /** @description By model. */
            readonly completion_ratio: {
                readonly [key: string]: number;
            };
            /** @description By model. */
            readonly cache_ratio: {
                readonly [key: string]: number;
            };
            /** @description By model. */
            readonly create_cache_ratio: {
                readonly [key: string]: number;
            };
            /** @description US dollars per call, by model. */
            readonly model_price: {
                readonly [key: string]: number;
            };
        };
        readonly Receipt: {
            /**
             * @description As it is printed.
             * @example R-000001
             */
            readonly number: string;
            /** @description Number of the order. */
            readonly trade_no: string;
            readonly user_id: number;
            /** @description To whom it is made out. */
            readonly buyer: string;
            /** @description What was paid, in minor units of the currency. */
            readonly amount_minor: number | string;
            /**
             * @description What was paid, as a decimal.
             * @example 70.00
             */
            readonly money: string;
            /**
             * @description ISO 4217.
             * @example USD
             */
            readonly currency: string;
            /** @description No money moved; it has a series of numbers of its own. */
            readonly test: boolean;
            /** @description Unix seconds. */
            readonly issue_time: number;
        };
        readonly RecordedBody: {
            /**
             * @description form, binary: only its size was kept.
             * @enum {string}
             */
            readonly kind: "none" | "text" | "form" | "binary";
            /** @description Without secrets; media in base64 give way to their size. */
            readonly text: string;
            /** @description Of the whole. */
            readonly bytes: number;
            /** @description `text` is its beginning. */
            readonly cut: boolean;
        };
        readonly RecordedCall: {
            readonly attempt: number;
            readonly channel: number;
            readonly channel_name: string;
            readonly key_id: number;
            readonly request: components["schemas"]["RecordedRequest"];
            readonly reply: components["schemas"]["RecordedReply"] | null;
            /** @description Why no reply came. Empty: one did. */
            readonly failed: string;
        };
        readonly RecordedOwnReply: {
            readonly status: number;
            /** @description Names and values; what is secret is masked. */
            readonly headers: readonly (readonly [
                string,
                string
            ])[];
            readonly body: components["schemas"]["RecordedBody"];
            /** @description The client left first. */
            readonly gone: boolean;
        };
        readonly RecordedReply: {
            readonly status: number;
            /** @description Names and values; what is secret is masked. */
            readonly headers: readonly (readonly [
                string,
                string
            ])[];
            readonly body: components["schemas"]["RecordedBody"];
        };
        readonly RecordedRequest: {
            readonly method: string;
            readonly address: string;
            /** @description Names and values; what is secret is masked. */
            readonly headers: readonly (readonly [
                string,
                string
            ])[];
            readonly body: components["schemas"]["RecordedBody"];
        };
        readonly Recording: {
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @enum {string} */
            readonly level: "headers" | "bodies";
            readonly request: components["schemas"]["RecordedRequest"];
            readonly reply: components["schemas"]["RecordedOwnReply"] | null;
            readonly calls: readonly components["schemas"]["RecordedCall"][];
        };
        readonly RecordingState: {
            /**
             * @description What is recorded of everybody's requests. Empty: nothing.
             * @enum {string}
             */
            readonly everybody: "" | "headers" | "bodies";
            /** @description Unix seconds. 0: nothing is recorded of everybody. */
            readonly until: number;
            /** @description Owners may record the requests of their own keys. */
            readonly owners_may_switch: boolean;
        };
        readonly RecordingsStored: {
            readonly recordings: number;
            /** @description A number while it is exact as one, otherwise its digits. */
            readonly bytes: number | string;
            /** @description 0: there are none. */
            readonly oldest: number;
            /** @description By this process since it started. */
            readonly written: number;
            /** @description By this process, since there was no room or they could not be written. */
            readonly dropped: number;
        };
        readonly RedemptionCode: {
            readonly id: number;
            /** @description Who made it. */
            readonly user_id: number;
            /** @description The same for codes that were made together. */
            readonly batch: string;
            /** @description The code; to admins its first digits. */
            readonly key: string;
            readonly name: string;
            /** @description Credited by each use, in quota units. */
            readonly quota: number | string;
            /**
             * @description 1: on, 2: off, 3: used up.
             * @enum {number}
             */
            readonly status: 1 | 2 | 3;
            /** @enum {string} */
            readonly state: "on" | "off" | "used" | "expired";
            readonly uses: number;
            readonly uses_max: number;
            /** @description Unix seconds. */
            readonly created_time: number;
            /** @description Unix seconds of the last use. 0: none. */
            readonly redeemed_time: number;
            /** @description Unix seconds. 0: never. */
            readonly expired_time: number;
            /** @description Who used it last. 0: nobody. */
            readonly used_user_id: number;
        };
        readonly RefusedField: {
            /** @description As the upstream knows it. */
            readonly model: string;
            /** @description Empty: the upstream named none. */
            readonly field: string;
            /** @description Requests that were refused for it. */
            readonly count: number;
            /** @description Unix seconds. */
            readonly first_seen: number;
            /** @description Unix seconds. */
            readonly last_seen: number;
            /** @description Of the last refusal. */
            readonly status: number;
            /** @description Words of the upstream in the last refusal, masked, at most 300 characters. */
            readonly message: string;
        };
        readonly RequestField: {
            /** @enum {string} */
            readonly type: "text" | "number" | "boolean" | "select" | "json" | "image";
            readonly title: string;
            readonly help?: string;
            /** @description Any JSON. */
            readonly default?: unknown;
            /** @description `select`: what it may be. */
            readonly options?: readonly string[];
            readonly min?: number;
            readonly max?: number;
            readonly integer?: boolean;
            /** @example seconds */
            readonly name: string;
            /**
             * @description `text`: it has several lines.
             * @enum {boolean}
             */
            readonly long?: true;
            /** @description `image`: how many at most, sent as a list. Absent: one. */
            readonly many?: number;
            /**
             * @description `image`: only data URLs are taken, or only addresses. Absent: both.
             * @enum {string}
             */
            readonly source?: "upload" | "address";
            /**
             * @description A request means nothing without it.
             * @enum {boolean}
             */
            readonly required?: true;
        };
        readonly RequestForm: {
            readonly operation: string;
            /** @description Absent: `generate`. */
            readonly action?: string;
            readonly fields: readonly components["schemas"]["RequestField"][];
        };
        readonly RequestResult: {
            readonly name: string;
            /** @enum {string} */
            readonly outcome: "passed" | "failed" | "skipped";
            /** @description How long it took. */
            readonly ms: number;
            /** @description What was seen, or why it failed or was skipped. */
            readonly words: string;
        };
        readonly RereadChannels: {
            /** @description Channels that were read. */
            readonly success: number;
            /** @description Channels that could not be read. */
            readonly fails: number;
        };
        readonly RoutingPolicy: {
            /** @enum {number} */
            readonly version: 1;
            /** @enum {string} */
            readonly mode: "smart" | "manual";
            /** @description `smart`: key of the auto route that is followed. */
            readonly auto_route: string;
            /** @description `manual`: groups in order. */
            readonly groups: readonly string[];
            /** @description After a failure the next group may be tried. */
            readonly retry_on_failure: boolean;
        };
        readonly RunFailure: {
            readonly id: number;
            readonly name: string;
            readonly message: string;
        };
        readonly RunProgress: {
            readonly total: number;
            /** @description Channels that are done, those that failed included. */
            readonly done: number;
            readonly failed: number;
            /** @description The first of those that failed. */
            readonly failures: readonly components["schemas"]["RunFailure"][];
            readonly running: boolean;
            /** @description Unix seconds. 0: none was started since the gateway was. */
            readonly started_at: number;
        };
        readonly SecondStep: {
            /** @enum {boolean} */
            readonly require_2fa: true;
            /** @description Names this sign-in at its second step; a cookie holds it as well. */
            readonly flow_token: string;
        };
        readonly SecurityEvent: {
            readonly id: number;
            /** @example password_changed */
            readonly kind: string;
            /** @description Unix seconds. */
            readonly at: number;
            /** @description Address it was done from; of a counted kind, the last one. */
            readonly address: string;
            /** @description A number where several of a kind are counted; otherwise empty. */
            readonly detail: string;
        };
        readonly Self: {
            readonly id: number;
            /** @example ada */
            readonly username: string;
            readonly display_name: string;
            readonly email: string;
            readonly email_verified: boolean;
            /**
             * @description 1: user. 10: admin. 100: root.
             * @enum {number}
             */
            readonly role: 1 | 10 | 100;
            /**
             * @description 1: enabled. 2: disabled.
             * @enum {number}
             */
            readonly status: 1 | 2;
            /** @example default */
            readonly group: string;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly quota: number | string;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly used_quota: number | string;
            readonly request_count: number;
            /** @description The code of their invitations. */
            readonly aff_code: string;
            /** @description People they invited. */
            readonly aff_count: number;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly aff_quota: number | string;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly aff_history_quota: number | string;
            /** @description 0: nobody invited them. */
            readonly inviter_id: number;
            /** @description Empty: not bound. */
            readonly github_id: string;
            /** @description Empty: not bound. */
            readonly discord_id: string;
            /** @description Empty: not bound. */
            readonly oidc_id: string;
            /** @description Empty: not bound. */
            readonly wechat_id: string;
            /** @description Empty: not bound. */
            readonly telegram_id: string;
            /** @description Empty: not bound. */
            readonly linux_do_id: string;
            /** @description JSON text of their settings. Secrets stand empty in it. */
            readonly setting: string;
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @description Unix seconds. 0: never. */
            readonly last_login_at: number;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly held: number | string;
            readonly permissions: {
                readonly sidebar_settings: boolean;
                /** @description Parts of the console that are closed to the role. */
                readonly sidebar_modules: {
                    readonly admin?: boolean | {
                        readonly setting: boolean;
                    };
                };
            };
            /** @description JSON text of the parts of the console they chose. */
            readonly sidebar_modules: string;
            readonly language: string;
            /** @description They hid the first steps of the dashboard. */
            readonly first_steps_hidden: boolean;
            readonly has_password: boolean;
            /** @description They have an authenticator. */
            readonly two_factor: boolean;
            readonly passkeys: number;
            /** @description The account is opened by a passkey alone. */
            readonly password_off: boolean;
            /** @description A second factor is required that they have yet to set up. */
            readonly must_set_up_factor: boolean;
        };
        readonly SellablePlan: {
            readonly id: number;
            readonly title: string;
            readonly subtitle: string;
            /** @enum {string} */
            readonly duration_unit: "hour" | "day" | "week" | "month" | "year" | "custom";
            readonly duration_value: number;
            readonly custom_seconds: number;
            /** @description Quota of each period. 0: without bound. */
            readonly total_amount: number | string;
            /** @enum {string} */
            readonly quota_reset_period: "never" | "daily" | "weekly" | "monthly" | "custom";
            readonly quota_reset_custom_seconds: number;
            /** @description How much may be used within each hour, day, week or month. */
            readonly caps: readonly {
                /** @enum {string} */
                readonly period: "hour" | "day" | "week" | "month" | "custom";
                readonly custom_seconds: number;
                /** @description Quota units: a number while it is exact as one, otherwise its digits. */
                readonly amount: number | string;
            }[];
            /** @description Models it pays for. Empty: all. */
            readonly models: readonly string[];
            /** @description Groups it pays for. Empty: all. */
            readonly groups: readonly string[];
            readonly allow_wallet_overflow: boolean;
            readonly upgrade_group: string;
            readonly downgrade_group: string;
            /**
             * @description Price of one duration.
             * @example 30.00
             */
            readonly price_amount: string;
            /** @example USD */
            readonly currency: string;
            /** @description In other currencies. */
            readonly prices: {
                readonly [key: string]: string;
            };
            readonly enabled: boolean;
            readonly sort_order: number;
            readonly allow_balance_pay: boolean;
            /** @description Price from the balance. */
            readonly balance_price: number | string;
            readonly stripe_price_id: string;
            readonly creem_product_id: string;
            /** @description 0: as often as they like. */
            readonly max_purchase_per_user: number;
            /** @description 0: it cannot be tried. */
            readonly trial_days: number;
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @description Gateways it can be paid by. */
            readonly offers: readonly components["schemas"]["PlanOffer"][];
        };
        readonly ServedChannelType: {
            /** @description The number channels of this type are stored under. */
            readonly id: number;
            /** @example acme/chat */
            readonly key: string;
            /**
             * @description Unique within its plugin.
             * @example chat
             */
            readonly name: string;
            readonly title: string;
            /** @description Used where a channel names none. Empty: every channel must name its own. */
            readonly baseUrl: string;
            /**
             * @description `whole`: a channel names the very address of its calls. Absent: an origin.
             * @enum {string}
             */
            readonly address?: "origin" | "whole";
            /** @description Id of the plugin that serves it. */
            readonly plugin: string;
            /** @description Fields of each channel of the type. */
            readonly fields: readonly components["schemas"]["SettingField"][];
        };
        readonly Session: {
            /** @description Names the session; it opens nothing. */
            readonly sid: string;
            /** @description How they signed in. */
            readonly method: string;
            readonly address: string;
            readonly user_agent: string;
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @description Unix seconds. */
            readonly last_seen_at: number;
            /** @description The one of this request. */
            readonly current: boolean;
        };
        readonly SettingField: {
            /** @enum {string} */
            readonly type: "string" | "secret" | "number" | "boolean" | "select" | "json" | "list";
            readonly title: string;
            readonly help?: string;
            /** @description Any JSON. */
            readonly default?: unknown;
            /** @description `select`: what it may be. */
            readonly options?: readonly string[];
            readonly min?: number;
            readonly max?: number;
            readonly integer?: boolean;
            /** @example threshold */
            readonly name: string;
            /** @description The option it is stored under, where it has one. */
            readonly option?: string;
            /** @description Size of the longest text, bytes. */
            readonly maxBytes?: number;
            /**
             * @description Its value is the address of a picture that pages show.
             * @enum {boolean}
             */
            readonly image?: true;
            /**
             * @description Its value is an address that pages post forms to.
             * @enum {boolean}
             */
            readonly forms?: true;
            /** @description Origins that pages may load from while it is on. */
            readonly pages?: {
                readonly script?: readonly string[];
                readonly frame?: readonly string[];
            };
            /** @description It is shown only while another field has this value. */
            readonly when?: {
                readonly field: string;
                /** @description Any JSON. */
                readonly is: unknown;
            };
        };
        readonly SetupState: {
            /** @description The gateway is set up. */
            readonly status: boolean;
            /** @description The same. */
            readonly root_init: boolean;
            /** @enum {string} */
            readonly database_type: "postgres" | "pglite";
            /** @description What a form may leave out, by question; those the environment has decided are absent. Absent as a whole once the gateway is set up. */
            readonly suggested?: {
                readonly RegisterEnabled: boolean;
                readonly PrivateUpstreamsEnabled?: boolean;
            };
        };
        readonly SignInBinding: {
            /** @example github */
            readonly provider: string;
            readonly title: string;
            /**
             * @description Its title in other languages.
             * @example {
             *       "zh": {
             *         "Seconds": "秒数"
             *       }
             *     }
             */
            readonly translations?: {
                readonly [key: string]: {
                    readonly [key: string]: string;
                };
            };
            /** @description Who they are there. */
            readonly name: string;
            /** @description Unix seconds. */
            readonly created_at: number;
        };
        readonly SignInProvider: {
            /** @example github */
            readonly provider: string;
            /** @example GitHub */
            readonly title: string;
            /** @description A data URL where its plugin ships an image; else a name, or what an admin wrote. */
            readonly icon: string;
            /**
             * @description Its title in other languages.
             * @example {
             *       "zh": {
             *         "Seconds": "秒数"
             *       }
             *     }
             */
            readonly translations?: {
                readonly [key: string]: {
                    readonly [key: string]: string;
                };
            };
            /**
             * @description The browser goes there, a code is typed, or a widget of theirs is shown.
             * @enum {string}
             */
            readonly style: "redirect" | "code" | "widget";
            /** @description What anyone may know of it, such as a client id. */
            readonly facts: Record<string, unknown>;
        };
        readonly SignedIn: {
            readonly id: number;
            /** @example ada */
            readonly username: string;
            readonly display_name: string;
            /**
             * @description 1: user. 10: admin. 100: root.
             * @enum {number}
             */
            readonly role: 1 | 10 | 100;
            /**
             * @description 1: enabled. Nobody else is signed in.
             * @enum {number}
             */
            readonly status: 1;
            /** @example default */
            readonly group: string;
        };
        readonly Status: {
            /**
             * @description Empty: what runs here is for those who are signed in.
             * @enum {string}
             */
            readonly version: "";
            /** @description Unix seconds. */
            readonly start_time: number;
            /** @description The first account is made. */
            readonly setup: boolean;
            readonly default_use_auto_group: boolean;
            /** @description Forms need a bot challenge. */
            readonly turnstile_check: boolean;
            readonly turnstile_site_key: string;
            readonly system_name: string;
            /** @description The public address. Empty: none is set. */
            readonly server_address: string;
            readonly logo: string;
            readonly footer_html: string;
            readonly top_up_link: string;
            readonly docs_link: string;
            readonly default_collapse_sidebar: boolean;
            readonly chats: readonly Record<string, unknown>[];
            /** @description JSON text. */
            readonly HeaderNavModules: string;
            /** @description JSON text. */
            readonly SidebarModulesAdmin: string;
            /** @description Quota units of one unit of account. */
            readonly quota_per_unit: number;
            /** @example USD */
            readonly quota_display_type: string;
            readonly display_in_currency: boolean;
            readonly custom_currency_symbol: string;
            readonly custom_currency_exchange_rate: number;
            readonly price: number;
            readonly usd_exchange_rate: number;
            readonly stripe_unit_price: number;
            readonly email_verification: boolean;
            /** @description Mail leaves, so that who lost a password can choose another. */
            readonly password_reset_enabled: boolean;
            readonly register_enabled: boolean;
            readonly password_register_enabled: boolean;
            readonly password_login_enabled: boolean;
            readonly enable_batch_update: boolean;
            readonly enable_drawing: boolean;
            readonly enable_task: boolean;
            readonly enable_data_export: boolean;
            readonly data_export_default_time: string;
            readonly mj_notify_enabled: boolean;
            readonly checkin_enabled: boolean;
            readonly demo_site_enabled: boolean;
            readonly self_use_mode_enabled: boolean;
            readonly user_agreement_enabled: boolean;
            readonly privacy_policy_enabled: boolean;
            readonly api_info_enabled: boolean;
            readonly announcements_enabled: boolean;
            readonly faq_enabled: boolean;
            readonly uptime_kuma_enabled: boolean;
            readonly api_info?: readonly Record<string, unknown>[];
            readonly announcements?: readonly Record<string, unknown>[];
            readonly faq?: readonly Record<string, unknown>[];
            readonly passkey_login: boolean;
            readonly passkey_display_name: string;
            readonly passkey_rp_id: string;
            readonly passkey_origins: string;
            readonly passkey_allow_insecure: boolean;
            readonly passkey_user_verification: string;
            readonly passkey_attachment: string;
            readonly github_oauth: boolean;
            readonly github_client_id: string;
            readonly discord_oauth: boolean;
            readonly discord_client_id: string;
            readonly linuxdo_oauth: boolean;
            readonly linuxdo_client_id: string;
            readonly linuxdo_minimum_trust_level: number;
            readonly telegram_oauth: boolean;
            readonly telegram_bot_name: string;
            readonly wechat_login: boolean;
            readonly wechat_qrcode: string;
            readonly oidc_enabled: boolean;
            readonly oidc_client_id: string;
            readonly oidc_authorization_endpoint: string;
            /** @description Beside those above; absent: none. */
            readonly custom_oauth_providers?: readonly {
                readonly slug: string;
                readonly name: string;
                readonly icon: string;
            }[];
        };
        readonly StoredFile: {
            readonly index: number;
            /**
             * @description `failed`: it is tried no more. `leaving`: its time is over, and the file is deleted.
             * @enum {string}
             */
            readonly state: "pending" | "stored" | "failed" | "leaving";
            /** @enum {string} */
            readonly place: "folder" | "s3";
            /** @description Of the file in its folder or bucket, behind the prefix. */
            readonly name: string;
            readonly bytes: number;
            /** @description How often storing it, or deleting it, was begun. */
            readonly tries: number;
            /** @description Why the last try failed. */
            readonly reason: string;
            /** @description Unix seconds. 0: not yet, or never. */
            readonly next_try: number;
            /** @description Unix seconds. 0: not yet, or never. */
            readonly stored_at: number;
            /** @description Unix seconds. 0: open, or it is not stored. */
            readonly kept_until: number;
        };
        readonly Subscription: {
            readonly id: number;
            readonly user_id: number;
            readonly plan_id: number;
            readonly title: string;
            /** @enum {string} */
            readonly status: "active" | "expired" | "cancelled";
            /** @enum {string} */
            readonly source: "order" | "balance" | "admin" | "trial" | "welcome";
            /** @description Why it was ended. */
            readonly reason: string;
            /** @description Of the period that runs. 0: without bound. */
            readonly amount_total: number | string;
            /** @description In the period that runs. */
            readonly amount_used: number | string;
            /** @description Set aside for requests under way. */
            readonly amount_held: number | string;
            /** @description Unix seconds. */
            readonly start_time: number;
            /** @description When its time runs out. */
            readonly end_time: number;
            /** @description Unix seconds when it ended. 0: it is active. */
            readonly ended_time: number;
            /** @description Unix seconds. */
            readonly last_reset_time: number;
            /** @description Unix seconds. 0: nothing is granted any more. */
            readonly next_reset_time: number;
            readonly caps: readonly {
                /** @enum {string} */
                readonly period: "hour" | "day" | "week" | "month" | "custom";
                readonly custom_seconds: number;
                /** @description Quota units: a number while it is exact as one, otherwise its digits. */
                readonly amount: number | string;
                /** @description Quota units: a number while it is exact as one, otherwise its digits. */
                readonly used: number | string;
                /** @description Unix seconds. */
                readonly end_time: number;
            }[];
            /**
             * @description Empty: it ends by itself.
             * @enum {string}
             */
            readonly renewal: "" | "balance" | "gateway";
            /** @description What the balance pays for each renewal, as agreed. -1: nothing was agreed. */
            readonly renewal_price: number | string;
            /** @description The gateway it was bought by. Empty: none. */
            readonly gateway: string;
            readonly upgrade_group: string;
            readonly downgrade_group: string;
            readonly prev_user_group: string;
            readonly allow_wallet_overflow: boolean;
            readonly models: readonly string[];
            readonly groups: readonly string[];
            /** @description The order that opened it. */
            readonly trade_no: string;
        };
        readonly SubscriptionPeriod: {
            readonly number: number;
            /** @description 0: without bound. */
            readonly amount_total: number | string;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly amount_used: number | string;
            /** @description Unix seconds. */
            readonly start_time: number;
            /** @description Unix seconds. */
            readonly end_time: number;
            /** @description What was left of it was given back. */
            readonly closed: boolean;
        };
        readonly SubscriptionPlan: {
            readonly id: number;
            readonly title: string;
            readonly subtitle: string;
            /** @enum {string} */
            readonly duration_unit: "hour" | "day" | "week" | "month" | "year" | "custom";
            readonly duration_value: number;
            readonly custom_seconds: number;
            /** @description Quota of each period. 0: without bound. */
            readonly total_amount: number | string;
            /** @enum {string} */
            readonly quota_reset_period: "never" | "daily" | "weekly" | "monthly" | "custom";
            readonly quota_reset_custom_seconds: number;
            /** @description How much may be used within each hour, day, week or month. */
            readonly caps: readonly {
                /** @enum {string} */
                readonly period: "hour" | "day" | "week" | "month" | "custom";
                readonly custom_seconds: number;
                /** @description Quota units: a number while it is exact as one, otherwise its digits. */
                readonly amount: number | string;
            }[];
            /** @description Models it pays for. Empty: all. */
            readonly models: readonly string[];
            /** @description Groups it pays for. Empty: all. */
            readonly groups: readonly string[];
            readonly allow_wallet_overflow: boolean;
            readonly upgrade_group: string;
            readonly downgrade_group: string;
            /**
             * @description Price of one duration.
             * @example 30.00
             */
            readonly price_amount: string;
            /** @example USD */
            readonly currency: string;
            /** @description In other currencies. */
            readonly prices: {
                readonly [key: string]: string;
            };
            readonly enabled: boolean;
            readonly sort_order: number;
            readonly allow_balance_pay: boolean;
            /** @description Price from the balance. */
            readonly balance_price: number | string;
            readonly stripe_price_id: string;
            readonly creem_product_id: string;
            /** @description 0: as often as they like. */
            readonly max_purchase_per_user: number;
            /** @description 0: it cannot be tried. */
            readonly trial_days: number;
            /** @description Unix seconds. */
            readonly created_at: number;
        };
        /** @description What the table of known models has of this name. Null: nothing. */
        readonly TableModel: {
            readonly vendor: string;
            /** @enum {unknown} */
            readonly kind: "chat" | "completion" | "embedding" | "rerank" | "image" | "speech" | "transcription" | "video" | "music" | "realtime" | "moderation" | "ocr" | null;
            /** @description Tokens. Null: unknown. */
            readonly context_length: number | null;
            /** @description Tokens. Null: unknown. */
            readonly max_output: number | null;
            /** @description Null: unknown. */
            readonly input_modalities: readonly ("text" | "image" | "audio" | "video" | "embedding" | "score")[] | null;
            /** @description Null: unknown. */
            readonly output_modalities: readonly ("text" | "image" | "audio" | "video" | "embedding" | "score")[] | null;
            /** @description True: it has it. False: it has not. Left out: unknown. */
            readonly capabilities: {
                readonly tools?: boolean;
                readonly structured_output?: boolean;
                readonly reasoning?: boolean;
                readonly prompt_cache?: boolean;
            } | null;
            /** @description Document of the vendor. */
            readonly source: string;
            /** @example 2026-11-28 */
            readonly date: string;
        };
        readonly TaskMade: {
            readonly index: number;
            /** @enum {string} */
            readonly type: "image" | "video" | "audio" | "text" | "file";
            /** @description The upstream's own, or one of this gateway that works for 15 minutes. */
            readonly url?: string;
            /** @description Path and query at this gateway that work without a key for 15 minutes. */
            readonly preview?: string;
            readonly text?: string;
            readonly meta?: Record<string, unknown>;
        };
        readonly TaskStep: {
            /** @enum {string} */
            readonly state: "submitting" | "queued" | "running" | "unknown" | "succeeded" | "failed";
            readonly word: string;
            readonly reason: string;
            /** @description Unix seconds. */
            readonly at: number;
        };
        readonly Token: {
            readonly id: number;
            readonly user_id: number;
            /** @description Whole in the response that creates or replaces it, masked in others. */
            readonly key: string;
            /**
             * @description 1: enabled. 2: disabled. 3: expired. 4: exhausted.
             * @enum {number}
             */
            readonly status: 1 | 2 | 3 | 4;
            readonly name: string;
            /** @description Unix seconds. */
            readonly created_time: number;
            /** @description Unix seconds. */
            readonly accessed_time: number;
            /** @description Unix seconds. -1: never. */
            readonly expired_time: number;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly remain_quota: number | string;
            readonly unlimited_quota: boolean;
            readonly model_limits_enabled: boolean;
            /** @description Names with commas between them. */
            readonly model_limits: string;
            /** @description Addresses and networks, one a line. */
            readonly allow_ips: string;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly used_quota: number | string;
            readonly group: string;
            readonly cross_group_retry: boolean;
            /**
             * @description What is recorded of its requests. Empty: nothing.
             * @enum {string}
             */
            readonly record_level: "" | "headers" | "bodies";
            /** @description 0: nothing is recorded. */
            readonly record_until: number;
            readonly routing: components["schemas"]["RoutingPolicy"];
            /** @description What each period may use. 0: no budget. */
            readonly budget_quota: number | string;
            /**
             * @description In UTC, weeks from Monday. Empty: no budget.
             * @enum {string}
             */
            readonly budget_period: "" | "day" | "week" | "month";
            /** @description Used in the period that runs. */
            readonly budget_used: number | string;
            /** @description Left in it, less what is set aside for requests under way. */
            readonly budget_remaining: number | string;
            /** @description Unix seconds. 0: no budget. */
            readonly budget_resets_at: number;
            /** @description Requests a minute. 0: no limit. */
            readonly rpm_limit: number;
            /** @description Tokens a minute. 0: no limit. */
            readonly tpm_limit: number;
            /** @description The policy is made of `group`; none is stored. */
            readonly routing_legacy: boolean;
        };
        readonly TokenUsage: {
            readonly days: readonly {
                /** @description Unix seconds. */
                readonly day: number;
                /** @description Quota units: a number while it is exact as one, otherwise its digits. */
                readonly quota: number | string;
                readonly requests: number;
                readonly tokens: number;
            }[];
            readonly models: readonly {
                readonly model: string;
                /** @description Quota units: a number while it is exact as one, otherwise its digits. */
                readonly quota: number | string;
                readonly requests: number;
                readonly tokens: number;
            }[];
        };
        readonly TopUpInfo: {
            readonly gateways: readonly components["schemas"]["PaymentGateway"][];
            /** @description Amounts to choose from. */
            readonly amount_options: readonly number[];
            /** @description Factors of the price by the least amount that gets them. */
            readonly discount: {
                readonly [key: string]: number;
            };
            /** @description Units given besides, by the least amount that gets them. */
            readonly bonus: {
                readonly [key: string]: number;
            };
            readonly amount_max: number;
            /** @description Epay is offered. */
            readonly enable_online_topup: boolean;
            readonly enable_stripe_topup: boolean;
            readonly enable_creem_topup: boolean;
            /** @description Least amount by Epay, in units of account. */
            readonly min_topup: number;
            readonly stripe_min_topup: number;
            /** @description The ways to pay of Epay. */
            readonly pay_methods: readonly {
                readonly name: string;
                readonly type: string;
                readonly min_topup: number;
            }[];
            /** @description `POST /api/user/topup` redeems codes. */
            readonly enable_redemption: boolean;
            /** @description The products of Creem, as JSON text. */
            readonly creem_products: string;
        };
        readonly Trace: {
            readonly request_id: string;
            readonly duration_ms: number;
            readonly row: components["schemas"]["LogRow"];
            /** @description Further rows of it, as refunds; oldest first. */
            readonly others: readonly components["schemas"]["LogRow"][];
            /** @description In order. Empty: it was logged before times were kept. */
            readonly stages: readonly components["schemas"]["TraceStage"][];
            /**
             * @description What was recorded of it. Empty: nothing, or it was deleted since.
             * @enum {string}
             */
            readonly recorded: "" | "headers" | "bodies";
            /** @description In order. */
            readonly attempts: readonly components["schemas"]["TraceAttempt"][];
        };
        readonly TraceAttempt: {
            readonly attempt: number;
            readonly channel: number;
            readonly channel_name: string;
            readonly group: string;
            /** @description Its place among the keys of the channel, from 1. 0: unknown. */
            readonly key_index: number;
            /** @description The last four characters of the key. Empty: unknown, or it is too short. */
            readonly key_tail: string;
            /** @description HTTP status of the upstream. 0: none came. */
            readonly status: number;
            /** @description Error code. Empty: it was answered. */
            readonly code: string;
            /** @description What the upstream said, without secrets and cut. */
            readonly said: string;
            readonly upstream_request_id: string;
            /** @description Milliseconds since the request arrived. */
            readonly from: number;
            readonly to: number;
        };
        readonly TraceStage: {
            /**
             * @description body: it was read. auth: its caller was looked up. plan: its way was planned. reserve: a channel was picked and the cost set aside. connect: until the call was under way. wait: until the head of the reply. content: until its first content, or its failure. upstream: all tries together. delivery: until the end of the answer.
             * @enum {string}
             */
            readonly stage: "body" | "auth" | "plan" | "reserve" | "connect" | "wait" | "content" | "upstream" | "delivery";
            /** @description Which try it belongs to, from 1. 0: to none. */
            readonly attempt: number;
            /** @description Milliseconds since the request arrived. */
            readonly from: number;
            readonly to: number;
        };
        readonly TwoFactorSetup: {
            /** @description Base32. */
            readonly secret: string;
            /** @description The otpauth:// address for a QR code. */
            readonly qr_code_data: string;
            /** @description Recovery codes, shown this once; each is good for one use. */
            readonly backup_codes: readonly string[];
        };
        readonly TwoFactorStatus: {
            readonly enabled: boolean;
            /** @description Too many wrong codes; none is accepted for now. */
            readonly locked: boolean;
            readonly backup_codes_remaining: number;
        };
        readonly UnitsFound: {
            /** @description Enabled channels of these task types serve the model. False: of none, and all are listed. */
            readonly serves: boolean;
            readonly task_types: readonly components["schemas"]["UnitsOfTaskType"][];
        };
        readonly UnitsOfTaskType: {
            /** @example task.kling */
            readonly plugin: string;
            readonly title: string;
            readonly units: readonly string[];
            readonly dimensions: readonly string[];
            /**
             * @description By language, then by the English text or the name it stands for.
             * @example {
             *       "zh": {
             *         "Seconds": "秒数"
             *       }
             *     }
             */
            readonly translations: {
                readonly [key: string]: {
                    readonly [key: string]: string;
                };
            };
        };
        readonly UpstreamDifference: {
            readonly id: number;
            readonly name: string;
            /** @description Models of the upstream that the channel does not list. */
            readonly added: readonly string[];
            /** @description Models of the channel that the upstream does not list. */
            readonly removed: readonly string[];
        };
        readonly UsableChoice: {
            /** @description `auto`: the ratio of whichever group of the auto route serves. */
            readonly ratio: number | "auto";
            /** @description Shown to those who may use it. */
            readonly desc: string;
        };
        readonly UsableGroup: {
            readonly ratio: number;
            /** @description Shown to those who may use it. */
            readonly desc: string;
        };
        readonly UsableRoute: {
            /** @example auto */
            readonly key: string;
            readonly display_name: string;
            /** @description In the order they are tried, without those the caller may not use. */
            readonly groups: readonly string[];
        };
        readonly UsableScope: {
            /** @enum {string} */
            readonly scope: "all" | "read" | "account:read" | "account:write" | "tokens:read" | "tokens:write" | "channels:read" | "channels:write" | "models:read" | "models:write" | "users:read" | "users:write" | "money:read" | "money:write" | "logs:read" | "logs:write" | "options:read" | "options:write" | "system:read" | "system:write";
            /** @description Routes it opens to the caller. */
            readonly routes_count: number;
        };
        readonly Usage: {
            readonly input?: number;
            readonly cacheRead?: number;
            readonly cacheWrite5m?: number;
            readonly cacheWrite1h?: number;
            readonly inputAudio?: number;
            readonly inputImage?: number;
            readonly output?: number;
            /** @description Part of `output`. */
            readonly reasoning?: number;
            readonly outputAudio?: number;
            readonly outputImage?: number;
            /** @description How many units of a price are due. */
            readonly quantity?: number;
            /** @description What the price of a media task depends on, by name. */
            readonly dimensions?: {
                readonly [key: string]: string;
            };
            /** @description How many of each unit a media task made, by unit. */
            readonly counts?: {
                readonly [key: string]: number;
            };
            /** @description Calls of tools the upstream ran itself, by name. */
            readonly serverTools?: {
                readonly [key: string]: number;
            };
        };
        /** @description All that are not listed. */
        readonly UsageCounts: {
            /** @description Requests that were charged, at nothing as well. */
            readonly requests: number | string;
            /** @description Requests that failed. */
            readonly errors: number | string;
            /** @description Quota units of charges less refunds, exact. */
            readonly quota: number | string;
            /** @description Those read from and written to caches included. */
            readonly input_tokens: number | string;
            /** @description Of the input, what was read from a cache. */
            readonly cache_read_tokens: number | string;
            /** @description Of the input, what was written to a cache. */
            readonly cache_write_tokens: number | string;
            /** @description A number while it is exact as one, otherwise its digits. */
            readonly output_tokens: number | string;
        };
        readonly UsageErrors: {
            /** @description The error code of the response. Empty: it had none. */
            readonly code: string;
            /** @description HTTP status. 0: none. */
            readonly status: number;
            /** @description A number while it is exact as one, otherwise its digits. */
            readonly errors: number | string;
        };
        readonly UsageFigures: {
            /** @description Requests that were charged, at nothing as well. */
            readonly requests: number | string;
            /** @description Requests that failed. */
            readonly errors: number | string;
            /** @description Quota units of charges less refunds, exact. */
            readonly quota: number | string;
            /** @description Those read from and written to caches included. */
            readonly input_tokens: number | string;
            /** @description Of the input, what was read from a cache. */
            readonly cache_read_tokens: number | string;
            /** @description Of the input, what was written to a cache. */
            readonly cache_write_tokens: number | string;
            /** @description A number while it is exact as one, otherwise its digits. */
            readonly output_tokens: number | string;
            /** @description Output tokens by the time it took to generate them. Null: nothing was timed. */
            readonly tokens_per_second: number | null;
            /** @description Of whole requests. Null: nothing was timed. */
            readonly latency: {
                readonly p50: number;
                readonly p95: number;
                readonly p99: number;
            } | null;
            /** @description Of streams. Null: there were none. */
            readonly first_token: {
                readonly p50: number;
                readonly p95: number;
                readonly p99: number;
            } | null;
        };
        readonly UsageOverview: {
            /** @description Counted up to this moment, Unix seconds. 0: nothing is, yet. */
            readonly as_of: number;
            /** @description False: older usage is still being counted. */
            readonly is_whole: boolean;
            /** @enum {string} */
            readonly step: "hour" | "day";
            readonly totals: components["schemas"]["UsageFigures"];
            readonly before: components["schemas"]["UsageFigures"];
            /** @description The oldest first; without what had no usage. */
            readonly series: readonly components["schemas"]["UsageStep"][];
            /** @description Of what was asked for by its id, and of the owner of an API key. Null: not asked for. */
            readonly names: {
                readonly channel: components["schemas"]["UsageScopeName"] | null;
                readonly token: components["schemas"]["UsageScopeName"] | null;
                readonly user: components["schemas"]["UsageScopeName"] | null;
            };
        };
        readonly UsageRanking: {
            /** @description The greatest first. */
            readonly items: readonly components["schemas"]["RankedUsage"][];
            readonly others: components["schemas"]["UsageCounts"];
        };
        readonly UsageScopeName: {
            /** @description As it is called now. Empty: there is none of this id. */
            readonly name: string;
            readonly is_deleted: boolean;
        };
        readonly UsageStep: {
            /** @description Beginning of the hour or day (UTC), Unix seconds. */
            readonly at: number;
            /** @description Requests that were charged, at nothing as well. */
            readonly requests: number | string;
            /** @description Requests that failed. */
            readonly errors: number | string;
            /** @description Quota units of charges less refunds, exact. */
            readonly quota: number | string;
            /** @description Those read from and written to caches included. */
            readonly input_tokens: number | string;
            /** @description Of the input, what was read from a cache. */
            readonly cache_read_tokens: number | string;
            /** @description Of the input, what was written to a cache. */
            readonly cache_write_tokens: number | string;
            /** @description A number while it is exact as one, otherwise its digits. */
            readonly output_tokens: number | string;
            /** @description Output tokens by the time it took to generate them. Null: nothing was timed. */
            readonly tokens_per_second: number | null;
            /** @description Of whole requests. Null: nothing was timed. */
            readonly latency: {
                readonly p50: number;
                readonly p95: number;
                readonly p99: number;
            } | null;
            /** @description Of streams. Null: there were none. */
            readonly first_token: {
                readonly p50: number;
                readonly p95: number;
                readonly p99: number;
            } | null;
        };
        readonly UsageSum: {
            /** @description Place in this response. */
            readonly id: number;
            /** @description 0: the sum is of everybody, or of the rest. */
            readonly user_id: number;
            /** @description Empty: the sum is of everybody, or of the rest. */
            readonly username: string;
            /** @description Empty: the sum is of all models, or of the rest. */
            readonly model_name: string;
            /** @description Beginning of the hour, the day, the week (Monday) or the span in UTC, Unix seconds. */
            readonly created_at: number;
            /** @description Tokens of prompts and completions. */
            readonly token_used: number | string;
            /** @description Requests. */
            readonly count: number;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly quota: number | string;
        };
        readonly User: {
            readonly id: number;
            /** @example ada */
            readonly username: string;
            readonly display_name: string;
            readonly email: string;
            readonly email_verified: boolean;
            /**
             * @description 1: user. 10: admin. 100: root.
             * @enum {number}
             */
            readonly role: 1 | 10 | 100;
            /**
             * @description 1: enabled. 2: disabled.
             * @enum {number}
             */
            readonly status: 1 | 2;
            /** @example default */
            readonly group: string;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly quota: number | string;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly used_quota: number | string;
            readonly request_count: number;
            /** @description The code of their invitations. */
            readonly aff_code: string;
            /** @description People they invited. */
            readonly aff_count: number;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly aff_quota: number | string;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly aff_history_quota: number | string;
            /** @description 0: nobody invited them. */
            readonly inviter_id: number;
            /** @description Empty: not bound. */
            readonly github_id: string;
            /** @description Empty: not bound. */
            readonly discord_id: string;
            /** @description Empty: not bound. */
            readonly oidc_id: string;
            /** @description Empty: not bound. */
            readonly wechat_id: string;
            /** @description Empty: not bound. */
            readonly telegram_id: string;
            /** @description Empty: not bound. */
            readonly linux_do_id: string;
            /** @description JSON text of their settings. Secrets stand empty in it. */
            readonly setting: string;
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @description Unix seconds. 0: never. */
            readonly last_login_at: number;
            /** @description For admins alone. */
            readonly remark: string;
            /** @description Null: they have an account. */
            readonly DeletedAt: string | null;
        };
        readonly UserStanding: {
            /**
             * @description 1: user. 10: admin. 100: root.
             * @enum {number}
             */
            readonly role: 1 | 10 | 100;
            /**
             * @description 1: enabled. 2: disabled.
             * @enum {number}
             */
            readonly status: 1 | 2;
            /** @description What the wallet holds, in quota units, where that was changed. */
            readonly quota?: number | string;
        };
        readonly Vendor: {
            /** @example 3 */
            readonly id: number;
            /** @example Anthropic */
            readonly name: string;
            readonly description: string;
            /** @description The name of an icon of the console, or an address of a picture. */
            readonly icon: string;
            /**
             * @description 1: on. 0 and 2: off.
             * @enum {number}
             */
            readonly status: 0 | 1 | 2;
            /** @description Unix seconds. */
            readonly created_time: number;
            /** @description Unix seconds. */
            readonly updated_time: number;
        };
        readonly WholeUser: {
            readonly id: number;
            /** @example ada */
            readonly username: string;
            readonly display_name: string;
            readonly email: string;
            readonly email_verified: boolean;
            /**
             * @description 1: user. 10: admin. 100: root.
             * @enum {number}
             */
            readonly role: 1 | 10 | 100;
            /**
             * @description 1: enabled. 2: disabled.
             * @enum {number}
             */
            readonly status: 1 | 2;
            /** @example default */
            readonly group: string;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly quota: number | string;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly used_quota: number | string;
            readonly request_count: number;
            /** @description The code of their invitations. */
            readonly aff_code: string;
            /** @description People they invited. */
            readonly aff_count: number;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly aff_quota: number | string;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly aff_history_quota: number | string;
            /** @description 0: nobody invited them. */
            readonly inviter_id: number;
            /** @description Empty: not bound. */
            readonly github_id: string;
            /** @description Empty: not bound. */
            readonly discord_id: string;
            /** @description Empty: not bound. */
            readonly oidc_id: string;
            /** @description Empty: not bound. */
            readonly wechat_id: string;
            /** @description Empty: not bound. */
            readonly telegram_id: string;
            /** @description Empty: not bound. */
            readonly linux_do_id: string;
            /** @description JSON text of their settings. Secrets stand empty in it. */
            readonly setting: string;
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @description Unix seconds. 0: never. */
            readonly last_login_at: number;
            /** @description For admins alone. */
            readonly remark: string;
            /** @description Null: they have an account. */
            readonly DeletedAt: string | null;
            /** @description Held for requests under way, in quota units. */
            readonly held: number | string;
            readonly has_password: boolean;
            /** @description They have an authenticator. */
            readonly two_factor: boolean;
            readonly passkeys: number;
            readonly bindings: readonly {
                /** @example github */
                readonly provider: string;
                readonly title: string;
                /** @description Who they are there. */
                readonly name: string;
                /** @description Unix seconds. */
                readonly created_at: number;
            }[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
