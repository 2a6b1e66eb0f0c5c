-- What people look up in the book: all of one user, all of one request, and the sums of the accounts
-- of the gateway. A charge pays for the first index alone: it credits revenue, and its request is
-- found by its key.
CREATE INDEX transfers_debit_idx ON transfers (debit_account, id DESC);
CREATE INDEX transfers_credit_idx ON transfers (credit_account, id DESC) WHERE credit_account <> -1;
CREATE INDEX transfers_request_idx ON transfers (request_id) WHERE kind <> 'settle';
