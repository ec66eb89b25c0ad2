//! Outputs that the originals printed: Californium 3.14 and 2.8, Contiki's er-cocoa.c at two clock rates and
//! libcoap 4.3.1, each over hundreds of exchanges. Every number must be ours, to the unit.
//!
//! Open loop (`noisy`, `steady50`, `long_idle`): the script says how many copies there were and when the
//! answer came. Closed loop (`cl_*`): the timers decide, over a scripted link.

mod californium;
mod motes;
mod table;
