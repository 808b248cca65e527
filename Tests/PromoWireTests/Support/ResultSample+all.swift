import PromoWire

extension ResultSample {
    /// A sample of each result that a client reads.
    static var all: [ResultSample] {
        get throws { try [list, tap, launch, reviewEligible, reviewRequest, refresh, subscribe, status] }
    }

    private static let freshness = """
        "state":"loaded","source":"origin","generation":"5e3a","fetchedAt":"2026-11-21T01:09:00Z",\
        "originAt":"2026-11-21T00:09:00Z",\
        "expiresAt":"2026-11-22T01:09:00Z"
        """

    private static var list: ResultSample {
        get throws {
            try ResultSample(
                "list",
                """
                {\(freshness),"canRetry":false,"retryAt":"2026-11-21T01:10:00Z","hostKnown":true,"language":null,
                 "apps":[{"id":"a","name":"A","appStoreID":"1","iconURL":"https://a.example/i","category":"c",
                 "tagline":{"en":"e","ko":"k","ja":"j"},"storeURL":"https://a.example/s"}]}
                """,
                required: [
                    "state": .word, "source": .word, "canRetry": .truth, "apps": .array,
                    "apps.0.id": .text, "apps.0.name": .text, "apps.0.iconURL": .text,
                    "apps.0.category": .text, "apps.0.tagline": .object, "apps.0.tagline.en": .text,
                    "apps.0.storeURL": .text,
                ],
                optional: [
                    "generation": .text, "fetchedAt": .time, "originAt": .time, "expiresAt": .time, "retryAt": .time,
                    "hostKnown": .truth,
                    "apps.0.tagline.ko": .text, "apps.0.tagline.ja": .text,
                ], read: ListResult.init)
        }
    }

    private static var tap: ResultSample {
        get throws {
            try ResultSample(
                "tap",
                #"{"app":"a","appStoreID":"1","presentation":"offline","message":"m","storeURL":"https://a.example/s"}"#,
                required: ["app": .text, "storeURL": .text], optional: ["appStoreID": .text, "message": .text],
                read: TapResult.init)
        }
    }

    private static var launch: ResultSample {
        get throws {
            try ResultSample(
                "launch", #"{"app":"a","firstLaunch":"2026-11-21T01:09:00Z","recorded":true}"#,
                required: ["app": .text, "firstLaunch": .time, "recorded": .truth], read: LaunchResult.init)
        }
    }

    /// "eligible" is not among the required members, because without it this would be a result of `review-request`.
    private static var reviewEligible: ResultSample {
        get throws {
            try ResultSample(
                "review-eligible",
                """
                {"app":"a","eligible":false,"reasons":["never-launched"],"eligibleAt":"2026-11-21T01:09:00Z","advice":"b"}
                """, required: ["app": .text, "reasons": .words], optional: ["eligibleAt": .time, "advice": .text],
                read: ReviewResult.init)
        }
    }

    private static var reviewRequest: ResultSample {
        get throws {
            try ResultSample(
                "review-request",
                """
                {"app":"a","granted":false,"reasons":["yearly-limit","too-few-completions"],
                 "eligibleAt":"2026-11-21T01:09:00Z","reviewURL":"https://a.example/s","advice":"b"}
                """, required: ["app": .text, "granted": .truth, "reasons": .words],
                optional: ["eligibleAt": .time, "reviewURL": .text, "advice": .text], read: ReviewResult.init)
        }
    }

    private static var refresh: ResultSample {
        get throws {
            try ResultSample(
                "refresh",
                """
                {"outcome":"failed","generation":"5e3a","error":{"code":"tls","message":"m"},
                 "retryAt":"2026-11-21T01:09:00Z"}
                """, required: ["outcome": .word, "error.code": .word, "error.message": .text],
                optional: ["generation": .text, "retryAt": .time], read: RefreshResult.init)
        }
    }

    private static var subscribe: ResultSample {
        get throws {
            try ResultSample(
                "subscribe", #"{"subscribed":["tap","catalog"],"epoch":"e","since":41}"#,
                required: ["subscribed": .words, "epoch": .text, "since": .integer],
                read: SubscribeResult.init)
        }
    }

    private static var status: ResultSample {
        get throws {
            try ResultSample(
                "status",
                """
                {"version":"1.2.3","protocol":1,"epoch":"e","pid":77,"startedAt":"2026-11-21T01:09:00Z",\(freshness),
                 "apps":5,"online":true,
                 "refresh":{"url":"https://a.example","activity":"idle","nextAt":"2026-11-22T01:09:00Z",
                 "reason":"expiry","attempt":3,"attempts":4,"failures":3,
                 "lastAttemptAt":"2026-11-21T01:09:00Z","lastOutcome":"updated",
                 "lastError":{"code":"tls","message":"m"}},
                 "cache":{"path":"/c","stored":true},
                 "socket":{"path":"/s","connections":4,"subscribers":2,"refused":1},
                 "queries":{"list":12,"tap":1,"errors":5,"errorReasons":{"busy":5}},
                 "configuration":{"file":"/f","error":"Line 3.","ignored":[{"file":"/g","error":"no","cause":"hidden"}]},
                 "reviews":{"error":"Damaged."},
                 "catalogs":[{"name":"default","file":"/f","error":"e",\(freshness),"apps":5,
                 "refresh":{"url":"https://a.example","activity":"idle","nextAt":null,"reason":"expiry","attempt":3,
                 "attempts":4,"failures":3},
                 "cache":{"path":"/c","stored":true}}]}
                """,
                required: [
                    "version": .text, "epoch": .text, "pid": .integer, "startedAt": .time,
                    "state": .word,
                    "source": .word, "apps": .integer, "online": .truth, "refresh": .object,
                    "refresh.activity": .word, "refresh.reason": .word, "refresh.attempt": .integer,
                    "refresh.attempts": .integer, "refresh.failures": .integer,
                    "refresh.lastError.code": .word, "refresh.lastError.message": .text, "cache": .object,
                    "cache.path": .text, "cache.stored": .truth, "socket": .object, "socket.path": .text,
                    "socket.connections": .integer, "socket.subscribers": .integer, "socket.refused": .integer,
                    "queries": .object, "reviews": .object, "configuration": .object,
                    "configuration.ignored": .array, "configuration.ignored.0.file": .text,
                    "configuration.ignored.0.error": .text, "configuration.ignored.0.cause": .word, "catalogs": .array,
                    "catalogs.0.name": .text,
                    "catalogs.0.apps": .integer, "catalogs.0.state": .word, "catalogs.0.cache.path": .text,
                ],
                optional: [
                    "generation": .text, "fetchedAt": .time, "originAt": .time, "expiresAt": .time,
                    "refresh.url": .text,
                    "refresh.nextAt": .time, "refresh.lastAttemptAt": .time, "refresh.lastOutcome": .word,
                    "configuration.file": .text, "configuration.error": .text, "reviews.error": .text,
                    "catalogs.0.file": .text,
                    "catalogs.0.error": .text,
                ], read: StatusResult.init)
        }
    }
}
