//! The header: what made a recording, and what it takes to play it.

use evenstep::Rate;

use crate::error::{Error, hex};
use crate::format::{Cursor, Problem, put_bytes, put_varint};

/// The version of the engine, which recordings name.
pub const ENGINE_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The longest text in a header.
const TEXT_MAX: usize = 256;
/// The longest configuration.
const CONFIGURATION_MAX: usize = 1 << 16;
/// The most parts.
pub(crate) const PARTS_MAX: u64 = 1024;

/// Where the first state of a recording comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The game creates it from the seed and the configuration.
    Created,
    /// The recording begins with a snapshot of it.
    Snapshot,
}

/// What made a recording, and what it takes to play it.
///
/// A game describes itself with a header. To record, it adds the seed; to play, it compares its own header with the
/// recorded one.
///
/// ```
/// use evenstep::Rate;
/// use evenstep_replay::Header;
///
/// let ours = Header::new("pong", "1.2.0", Rate::hz(60)).with_configuration(b"hard");
/// let recorded = Header::new("pong", "1.1.0", Rate::hz(60)).with_seed(7);
/// let error = recorded.check(&ours).unwrap_err();
/// assert_eq!(error.to_string(), "recorded with game version 1.1.0, but this is 1.2.0");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// The version of this crate that made the recording.
    pub engine: String,
    /// The name of the game.
    pub game: String,
    /// The version of the game.
    pub game_version: String,
    /// Ticks per second.
    pub rate: Rate,
    /// The seed of the first run.
    pub seed: u64,
    /// What else the first state depends on, in the game's own encoding.
    pub configuration: Vec<u8>,
    /// A note on the platform, for people. It is not compared.
    pub platform: String,
    /// Where the first state comes from.
    pub origin: Origin,
    /// The number of the first tick.
    pub first_tick: u64,
    /// Ticks between two hashes.
    pub hash_every: u64,
    /// Ticks between two snapshots; 0 means none.
    pub snapshot_every: u64,
    /// The names of the parts that are hashed. The writer fills them in.
    pub parts: Vec<String>,
}

impl Header {
    /// Describes a game.
    pub fn new(game: &str, game_version: &str, rate: Rate) -> Self {
        Self {
            engine: ENGINE_VERSION.to_owned(),
            game: game.to_owned(),
            game_version: game_version.to_owned(),
            rate,
            seed: 0,
            configuration: Vec::new(),
            platform: format!("{} {}", std::env::consts::ARCH, std::env::consts::OS),
            origin: Origin::Created,
            first_tick: 0,
            hash_every: 60,
            snapshot_every: 600,
            parts: Vec::new(),
        }
    }

    /// Sets the seed of the first run.
    pub const fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets what else the first state depends on.
    pub fn with_configuration(mut self, configuration: &[u8]) -> Self {
        configuration.clone_into(&mut self.configuration);
        self
    }

    /// Sets the note on the platform.
    pub fn with_platform(mut self, platform: &str) -> Self {
        platform.clone_into(&mut self.platform);
        self
    }

    /// Starts the recording with a snapshot at this tick, for a simulation that is already under way.
    pub const fn with_start(mut self, first_tick: u64) -> Self {
        self.origin = Origin::Snapshot;
        self.first_tick = first_tick;
        self
    }

    /// Sets the ticks between two hashes: 60 by default, at least 1. A difference is found at the first hash after it.
    ///
    /// # Panics
    ///
    /// If `ticks` is 0.
    pub const fn with_hash_every(mut self, ticks: u64) -> Self {
        assert!(ticks > 0, "a hash must come every tick or less often");
        self.hash_every = ticks;
        self
    }

    /// Sets the ticks between two snapshots: 600 by default, 0 for none.
    pub const fn with_snapshot_every(mut self, ticks: u64) -> Self {
        self.snapshot_every = ticks;
        self
    }

    /// Checks that a recording with this header can be played by the game that `ours` describes.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with the first field that differs: game, engine version, game version, rate, configuration or
    /// parts. Playing may work all the same: to try, do not check.
    pub fn check(&self, ours: &Self) -> Result<(), Error> {
        let rate = |rate: Rate| format!("{}/{} per second", rate.ticks(), rate.seconds());
        let fields = [
            ("game", self.game.clone(), ours.game.clone()),
            ("engine version", self.engine.clone(), ours.engine.clone()),
            ("game version", self.game_version.clone(), ours.game_version.clone()),
            ("rate", rate(self.rate), rate(ours.rate)),
            ("configuration", hex(&self.configuration), hex(&ours.configuration)),
        ];
        for (field, recorded, expected) in fields {
            if recorded != expected {
                return Err(Error::Refused { field, recorded, expected });
            }
        }
        if !ours.parts.is_empty() && self.parts != ours.parts {
            let recorded = self.parts.join(", ");
            let expected = ours.parts.join(", ");
            return Err(Error::Refused { field: "parts", recorded, expected });
        }
        Ok(())
    }

    /// Checks the limits of the format.
    pub(crate) fn check_limits(&self) -> Result<(), Error> {
        let limit = |what, bytes: usize, max: usize| {
            if bytes <= max {
                return Ok(());
            }
            Err(Error::TooLarge { what, bytes: bytes as u64, bytes_max: max as u64 })
        };
        limit("an engine version", self.engine.len(), TEXT_MAX)?;
        limit("the name of a game", self.game.len(), TEXT_MAX)?;
        limit("a game version", self.game_version.len(), TEXT_MAX)?;
        limit("a note on the platform", self.platform.len(), TEXT_MAX)?;
        limit("a configuration", self.configuration.len(), CONFIGURATION_MAX)?;
        let range = |what, value, min, max| {
            if (min..=max).contains(&value) {
                Ok(())
            } else {
                Err(Error::OutOfRange { what, value, min, max })
            }
        };
        range("the number of parts", self.parts.len() as u64, 0, PARTS_MAX)?;
        range("the first tick", self.first_tick, 0, TICK_MAX)?;
        range("the number of ticks between two hashes", self.hash_every, 1, u64::MAX)?;
        self.parts.iter().try_for_each(|part| limit("the name of a part", part.len(), TEXT_MAX))
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        put_bytes(out, self.engine.as_bytes());
        put_bytes(out, self.game.as_bytes());
        put_bytes(out, self.game_version.as_bytes());
        out.extend(self.rate.ticks().to_le_bytes());
        out.extend(self.rate.seconds().to_le_bytes());
        out.extend(self.seed.to_le_bytes());
        put_bytes(out, &self.configuration);
        put_bytes(out, self.platform.as_bytes());
        out.push(u8::from(self.origin == Origin::Snapshot));
        put_varint(out, self.first_tick);
        put_varint(out, self.hash_every);
        put_varint(out, self.snapshot_every);
        put_varint(out, self.parts.len() as u64);
        for part in &self.parts {
            put_bytes(out, part.as_bytes());
        }
    }

    pub(crate) fn parse(payload: &[u8]) -> Result<Self, Problem> {
        let mut cursor = Cursor::new(payload);
        let text = |cursor: &mut Cursor<'_>| {
            cursor.text(TEXT_MAX, "a text is longer than 256 bytes").map(str::to_owned)
        };
        let engine = text(&mut cursor)?;
        let game = text(&mut cursor)?;
        let game_version = text(&mut cursor)?;
        let rate = Rate::try_new(cursor.u32()?, cursor.u32()?).ok_or("a rate of zero")?;
        let seed = cursor.u64()?;
        let configuration =
            cursor.bytes(CONFIGURATION_MAX, "a configuration is longer than 64 KiB")?.to_owned();
        let platform = text(&mut cursor)?;
        let origin = match cursor.u8()? {
            0 => Origin::Created,
            1 => Origin::Snapshot,
            _ => return Err("an unknown origin"),
        };
        let first_tick = cursor.varint()?;
        let hash_every = cursor.varint()?;
        let snapshot_every = cursor.varint()?;
        if hash_every == 0 {
            return Err("hashes every 0 ticks");
        }
        if first_tick > TICK_MAX {
            return Err("a first tick beyond 2^62");
        }
        let count = cursor.varint()?;
        if count > PARTS_MAX {
            return Err("more than 1024 parts");
        }
        let parts = (0..count).map(|_| text(&mut cursor)).collect::<Result<_, _>>()?;
        cursor.end()?;
        Ok(Self {
            engine,
            game,
            game_version,
            rate,
            seed,
            configuration,
            platform,
            origin,
            first_tick,
            hash_every,
            snapshot_every,
            parts,
        })
    }
}

/// Ticks stay below this, so that no sum of them overflows.
pub(crate) const TICK_MAX: u64 = 1 << 62;
